/** Pods that a term of affinity or a spread constraint means, counted by the value of a node label. */
import { isJsonObject, labelSelectorFrom, SelectorError, stringifyJson, type JsonObject } from '@flotilla/kube';
import type { Pod, PodAffinityTerm } from '../kinds.ts';
import type { LoadedNode } from './node-load.ts';

/** Which pods count. */
interface PodGroup {
  readonly matches: (pod: Readonly<Pod>) => boolean;
}

/** Pods of the group by the value of the node label: `zone-1` has 3. */
export type DomainCounts = ReadonlyMap<string, number>;

interface Counted {
  readonly group: PodGroup;
  readonly topologyKey: string;
  readonly counts: Map<string, number>;
}

/**
 * Counts for one turn of the scheduler. Most pods have no such terms, so it reads the pods of the cluster only for those that do, once for
 * all pods with the same term.
 */
export class PodGroups {
  readonly #nodes: readonly LoadedNode[];
  readonly #podsOn: (node: string) => readonly Readonly<Pod>[];
  readonly #counted = new Map<string, Counted>();
  /** Pods that this turn has placed, by node. */
  readonly #placed = new Map<string, Readonly<Pod>[]>();

  constructor(nodes: readonly LoadedNode[], podsOn: (node: string) => readonly Readonly<Pod>[]) {
    this.#nodes = nodes;
    this.#podsOn = podsOn;
  }

  countsOf(topologyKey: string, term: Readonly<JsonObject>, group: () => PodGroup): DomainCounts {
    const text = `${topologyKey}/${stringifyJson(term)}`;
    const known = this.#counted.get(text);
    if (known !== undefined) return known.counts;
    const counted: Counted = { group: group(), topologyKey, counts: new Map() };
    for (const { name, node } of this.#nodes) {
      const domain = domainOf(node.metadata.labels, topologyKey);
      if (domain === undefined) continue;
      const pods = [...this.#podsOn(name), ...(this.#placed.get(name) ?? [])];
      const count = pods.filter((pod) => counted.group.matches(pod)).length;
      if (count > 0) counted.counts.set(domain, (counted.counts.get(domain) ?? 0) + count);
    }
    this.#counted.set(text, counted);
    return counted.counts;
  }

  /** Counts a pod that gets this node. */
  add(pod: Readonly<Pod>, { name, node }: LoadedNode): void {
    const placed = this.#placed.get(name);
    if (placed === undefined) this.#placed.set(name, [pod]);
    else placed.push(pod);
    for (const { group, topologyKey, counts } of this.#counted.values()) {
      const domain = domainOf(node.metadata.labels, topologyKey);
      if (domain !== undefined && group.matches(pod)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
  }
}

export function domainOf(
  labels: Readonly<Record<string, string>> | undefined,
  topologyKey: string,
): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, topologyKey) ? labels[topologyKey] : undefined;
}

/** The pods that a term of a pod in this namespace means. Of namespace selectors, only the empty one, which means all, is simulated. */
export function groupOfTerm(term: Readonly<PodAffinityTerm>, ownNamespace: string | undefined): PodGroup {
  const { namespaces = [], namespaceSelector, labelSelector } = term;
  const isEverywhere = isJsonObject(namespaceSelector) && Object.keys(namespaceSelector).length === 0;
  const own = namespaces.length === 0 && namespaceSelector === undefined ? [ownNamespace ?? ''] : namespaces;
  const selects = selectorOf(labelSelector);
  return {
    matches: ({ metadata }) =>
      (isEverywhere || own.includes(metadata.namespace ?? '')) &&
      metadata.deletionTimestamp === undefined &&
      selects(metadata.labels ?? {}),
  };
}

/** No selector, or an invalid one, selects nothing. */
export function selectorOf(
  selector: Readonly<JsonObject> | undefined,
): (labels: Readonly<Record<string, string>>) => boolean {
  if (selector === undefined) return () => false;
  try {
    const parsed = labelSelectorFrom(selector);
    return (labels) => parsed.matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return () => false;
    throw error;
  }
}
