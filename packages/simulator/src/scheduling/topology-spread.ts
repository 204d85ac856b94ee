/** Equal shares of a group of pods for zones, nodes, …: kube-scheduler's `PodTopologySpread`. */
import type { Pod, SpreadConstraint } from '../kinds.ts';
import { fitsNode } from './node-affinity.ts';
import type { LoadedNode } from './node-load.ts';
import { domainOf, selectorOf, type DomainCounts, type PodGroups } from './pod-groups.ts';
import { untoleratedTaint } from './taints.ts';

interface Spread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly counts: DomainCounts;
  /** The smallest number of pods of a domain that the pod could be in. */
  readonly minimum: number;
  readonly countsItself: boolean;
}

export type SpreadProblem = 'label is missing' | 'too many';

/** Decides for one pod about all nodes. */
export class SpreadCheck {
  readonly #required: readonly Spread[];
  readonly #preferred: readonly Spread[];

  constructor(pod: Readonly<Pod>, groups: PodGroups, nodes: readonly LoadedNode[]) {
    const constraints = pod.spec?.topologySpreadConstraints ?? [];
    const spread = (constraint: SpreadConstraint): Spread => spreadOf(constraint, pod, groups, nodes);
    this.#required = constraints.filter(isRequired).map(spread);
    this.#preferred = constraints.filter((constraint) => !isRequired(constraint)).map(spread);
  }

  problemOf({ node }: LoadedNode): SpreadProblem | undefined {
    const domains = this.#required.map(({ topologyKey }) => domainOf(node.metadata.labels, topologyKey));
    if (domains.includes(undefined)) return 'label is missing';
    const isUneven = this.#required.some(({ counts, minimum, maxSkew, countsItself }, index) => {
      const count = (counts.get(domains[index] ?? '') ?? 0) + (countsItself ? 1 : 0);
      return count - minimum > maxSkew;
    });
    return isUneven ? 'too many' : undefined;
  }

  /** Pods of the groups that are near the node already: fewer are better. */
  crowdAt({ node }: LoadedNode): number {
    return this.#preferred.reduce(
      (sum, { topologyKey, counts }) => sum + (counts.get(domainOf(node.metadata.labels, topologyKey) ?? '') ?? 0),
      0,
    );
  }
}

function isRequired({ whenUnsatisfiable }: SpreadConstraint): boolean {
  return whenUnsatisfiable !== 'ScheduleAnyway';
}

function spreadOf(
  constraint: SpreadConstraint,
  pod: Readonly<Pod>,
  groups: PodGroups,
  nodes: readonly LoadedNode[],
): Spread {
  const { topologyKey = '', maxSkew = 1, minDomains = 1, labelSelector, matchLabelKeys = [] } = constraint;
  const { namespace = '', labels = {} } = pod.metadata;
  const own = matchLabelKeys
    .filter((label) => Object.hasOwn(labels, label))
    .map((label) => [label, labels[label] ?? '']);
  const selects = selectorOf(labelSelector);
  const hasOwnValues = (others: Readonly<Record<string, string>>): boolean =>
    own.every(([label = '', value]) => Object.hasOwn(others, label) && others[label] === value);
  const identity = { labelSelector: labelSelector ?? null, namespace, own };
  const counts = groups.countsOf(topologyKey, identity, () => ({
    matches: ({ metadata }) =>
      metadata.namespace === namespace &&
      metadata.deletionTimestamp === undefined &&
      selects(metadata.labels ?? {}) &&
      hasOwnValues(metadata.labels ?? {}),
  }));
  const domains = eligibleDomains(constraint, pod, nodes);
  const smallest = Math.min(...[...domains].map((domain) => counts.get(domain) ?? 0));
  const minimum = domains.size < minDomains || domains.size === 0 ? 0 : smallest;
  return { topologyKey, maxSkew, counts, minimum, countsItself: selects(labels) };
}

/** Domains with a node that the pod's affinity selects, and that it tolerates if the constraint says so. */
function eligibleDomains(constraint: SpreadConstraint, pod: Readonly<Pod>, nodes: readonly LoadedNode[]): Set<string> {
  const { topologyKey = '', nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint;
  const eligible = nodes.filter(
    ({ node }) =>
      (nodeAffinityPolicy !== 'Honor' || fitsNode(pod.spec, node)) &&
      (nodeTaintsPolicy !== 'Honor' ||
        !untoleratedTaint(node.spec?.taints ?? [], pod.spec?.tolerations ?? [], ['NoSchedule', 'NoExecute'])),
  );
  return new Set(
    eligible.map(({ node }) => domainOf(node.metadata.labels, topologyKey)).filter((one) => one !== undefined),
  );
}
