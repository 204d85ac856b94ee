/** Placements whose candidates are the decisions of an OCM Placement: an annotation names it. */
import { candidatesFromAnnotation, type Placement, type PlacementDecision } from '@flotilla/api';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';

/** The clusters that an OCM Placement has selected. */
export interface CandidateClusters {
  readonly names: ReadonlySet<string>;
  /** Why nothing is known. The placement keeps its clusters then, and gets no others. */
  readonly problem?: string;
}

/** Undefined if the placement has no such annotation. `decisionsOf` are the PlacementDecisions of an OCM Placement. */
export function candidateClusters(
  placement: Readonly<Placement>,
  decisionsOf: (source: ObjectKey) => readonly Readonly<PlacementDecision>[],
): CandidateClusters | undefined {
  const source = candidateSource(placement);
  if (source === undefined) return undefined;
  if (typeof source === 'string') return { names: new Set(), problem: source };
  const decisions = decisionsOf(source);
  if (decisions.length === 0) {
    return { names: new Set(), problem: `candidates: Placement ${keyText(source)} has no PlacementDecision` };
  }
  return {
    names: new Set(decisions.flatMap(({ status }) => (status?.decisions ?? []).map(({ clusterName }) => clusterName))),
  };
}

/** The annotation as it is written. */
export function candidatesFrom({ metadata: { annotations = {} } }: Readonly<KubeObject>): string | undefined {
  return Object.hasOwn(annotations, candidatesFromAnnotation) ? annotations[candidatesFromAnnotation] : undefined;
}

/** The OCM Placement, or what is wrong with the annotation. A namespaced placement reads only its own namespace. */
export function candidateSource(placement: Readonly<KubeObject>): ObjectKey | string | undefined {
  const text = candidatesFrom(placement);
  if (text === undefined) return undefined;
  const { namespace: own } = placement.metadata;
  const [first = '', second, ...more] = text.split('/');
  const namespace = second === undefined ? own : first;
  const name = second ?? first;
  const isWrong = namespace === undefined || namespace === '' || name === '' || more.length > 0;
  if (isWrong) return `candidates: ${candidatesFromAnnotation} must be NAMESPACE/NAME of a Placement`;
  if (own !== undefined && namespace !== own) return `candidates: the Placement must be in the namespace ${own}`;
  return { namespace, name };
}
