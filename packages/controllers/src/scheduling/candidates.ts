/** Placements whose candidates are the decisions of an OCM Placement: an annotation names it. */
import { candidatesFromAnnotation, placementDecisions, type Placement, type PlacementFamily } from '@flotilla/api';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Cache, Indexes, Watched } from '@flotilla/runtime';
import { byOcmPlacement, decisionsOf, placementOfDecision } from '../ocm-placement/decision-ledger.ts';

/** The clusters that an OCM Placement has selected. */
export interface CandidateClusters {
  readonly names: ReadonlySet<string>;
  /** Why nothing is known. The placement keeps its clusters then, and gets no others. */
  readonly problem?: string;
}

const indexName = 'candidates-from';

/** For `indexes` of placements. */
export const byCandidateSource: Indexes = {
  [indexName]: (object) => {
    const source = sourceOf(object);
    return typeof source === 'object' ? [keyText(source)] : [];
  },
};

/** A watch for the scheduling of a family. Several PlacementDecisions often change together. */
export function watchedDecisions({ placement: kind }: PlacementFamily, collectChangesMs: number): Watched {
  return {
    kind: placementDecisions,
    indexes: byOcmPlacement,
    afterMs: () => collectChangesMs,
    concerns: (now, old, cache) => {
      const sources = [now, old].map((object) => object && placementOfDecision(object));
      return sources.flatMap((source) =>
        source === undefined ? [] : cache.indexed(kind, indexName, keyText(source)).map(keyOf),
      );
    },
  };
}

/** Undefined if the placement has no such annotation. */
export function candidatesOf(placement: Readonly<Placement>, cache: Cache): CandidateClusters | undefined {
  const source = sourceOf(placement);
  if (source === undefined) return undefined;
  if (typeof source === 'string') return { names: new Set(), problem: source };
  const decisions = decisionsOf(cache, source);
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
function sourceOf(placement: Readonly<KubeObject>): ObjectKey | string | undefined {
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

function keyOf({ metadata: { namespace, name = '' } }: Readonly<KubeObject>): ObjectKey {
  return { namespace, name };
}
