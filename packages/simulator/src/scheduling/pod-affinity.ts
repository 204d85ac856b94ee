/** Pods that must be near to others, or away from them: kube-scheduler's `InterPodAffinity`. */
import type { Pod, PodAffinity, PodAffinityTerm } from '../kinds.ts';
import type { LoadedNode } from './node-load.ts';
import { domainOf, groupOfTerm, type DomainCounts, type PodGroups } from './pod-groups.ts';

/** A pod on a node that keeps others away. */
export interface Repelling {
  readonly pod: Readonly<Pod>;
  readonly node: string;
}

export function requiredTerms(affinity: Readonly<PodAffinity> | undefined): readonly PodAffinityTerm[] {
  return affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

export function repels({ spec }: Readonly<Pod>): boolean {
  return requiredTerms(spec?.affinity?.podAntiAffinity).length > 0;
}

/** Decides for one pod about all nodes. Undefined if no pod of the cluster concerns it. */
export class AffinityCheck {
  readonly #attracting: readonly Wanted[];
  readonly #avoided: readonly Wanted[];
  /** `label=value` of nodes that existing pods keep this pod away from. */
  readonly #forbidden: ReadonlySet<string>;
  /** Whether the pod may be the first of the group that it wants to be near to. */
  readonly #isFirst: boolean;
  readonly #preferences: readonly (Wanted & { readonly weight: number })[];

  constructor(pod: Readonly<Pod>, groups: PodGroups, repelling: readonly Repelling[], nodes: readonly LoadedNode[]) {
    const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
    const wanted = (term: PodAffinityTerm): Wanted => wantedBy(pod, term, groups);
    const attracting = requiredTerms(podAffinity);
    this.#attracting = attracting.map(wanted);
    this.#avoided = requiredTerms(podAntiAffinity).map(wanted);
    this.#isFirst =
      this.#attracting.every(({ counts }) => counts.size === 0) &&
      attracting.every((term) => groupOfTerm(term, pod.metadata.namespace).matches(pod));
    this.#forbidden = forbiddenDomains(pod, repelling, nodes);
    const preferred = (affinity: Readonly<PodAffinity> | undefined, sign: 1 | -1) =>
      (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight = 0, podAffinityTerm = {} }) => ({
        ...wanted(podAffinityTerm),
        weight: sign * weight,
      }));
    this.#preferences = [...preferred(podAffinity, 1), ...preferred(podAntiAffinity, -1)];
  }

  isNearWanted({ node }: LoadedNode): boolean {
    const { labels } = node.metadata;
    const domains = this.#attracting.map(({ topologyKey }) => domainOf(labels, topologyKey));
    if (domains.includes(undefined)) return false;
    return this.#isFirst || this.#attracting.every(({ counts }, index) => (counts.get(domains[index] ?? '') ?? 0) > 0);
  }

  isNearAvoided({ node }: LoadedNode): boolean {
    return this.#avoided.some(
      ({ topologyKey, counts }) => (counts.get(domainOf(node.metadata.labels, topologyKey) ?? '') ?? 0) > 0,
    );
  }

  isForbidden({ node }: LoadedNode): boolean {
    if (this.#forbidden.size === 0) return false;
    const { labels = {} } = node.metadata;
    return Object.entries(labels).some(([label, value]) => this.#forbidden.has(`${label}=${value}`));
  }

  /** The weights of the preferred terms for this node, added up. */
  preferenceFor({ node }: LoadedNode): number {
    return this.#preferences.reduce((sum, { topologyKey, counts, weight }) => {
      const count = counts.get(domainOf(node.metadata.labels, topologyKey) ?? '') ?? 0;
      return sum + weight * count;
    }, 0);
  }
}

interface Wanted {
  readonly topologyKey: string;
  readonly counts: DomainCounts;
}

function wantedBy({ metadata }: Readonly<Pod>, term: PodAffinityTerm, groups: PodGroups): Wanted {
  const { topologyKey = '' } = term;
  const identity = { ...term, ownNamespace: metadata.namespace ?? '' };
  return { topologyKey, counts: groups.countsOf(topologyKey, identity, () => groupOfTerm(term, metadata.namespace)) };
}

function forbiddenDomains(
  pod: Readonly<Pod>,
  repelling: readonly Repelling[],
  nodes: readonly LoadedNode[],
): ReadonlySet<string> {
  const forbidden = new Set<string>();
  for (const { pod: other, node: name } of repelling) {
    const labels = nodes.find((node) => node.name === name)?.node.metadata.labels;
    for (const term of requiredTerms(other.spec?.affinity?.podAntiAffinity)) {
      const domain = domainOf(labels, term.topologyKey ?? '');
      if (domain === undefined || !groupOfTerm(term, other.metadata.namespace).matches(pod)) continue;
      forbidden.add(`${term.topologyKey}=${domain}`);
    }
  }
  return forbidden;
}
