import type { DomainCounts } from './domain-counts.ts';

/**
 * Clusters in the same domains of all constraints. Inside a group they differ only in what no choice changes, so a choice compares groups
 * instead of clusters. A rank is the place of a cluster in that fixed order; 0 is the best.
 */
export interface Groups {
  /** By group: ranks of its clusters, best first. */
  readonly ranks: readonly (readonly number[])[];
  /** By constraint, then by group; -1 if the clusters lack the label. */
  readonly domains: readonly Int32Array[];
}

/** `ranked` has the positions of clusters by their rank. */
export function groupByDomains(counts: readonly DomainCounts[], ranked: readonly number[]): Groups {
  const ranks: number[][] = [];
  const levels = counts.map((domains) => ({ domains, numbers: new Map<number, number>() }));
  for (const [rank, position] of ranked.entries()) {
    // Numbers the combinations of domains in the order of their first clusters, one constraint after the other.
    let group = 0;
    for (const { domains, numbers } of levels) {
      const combination = group * (domains.size + 1) + domains.domain(position) + 1;
      group = numbers.get(combination) ?? numbers.size;
      numbers.set(combination, group);
    }
    (ranks[group] ??= []).push(rank);
  }
  return {
    ranks,
    domains: counts.map((one) => Int32Array.from(ranks, ([first = -1]) => one.domain(ranked[first] ?? -1))),
  };
}

/** The groups that still have clusters, with the best rank that is left in each. */
export class Contest {
  readonly #groups: Groups;
  /** In no order. */
  readonly #open: number[];
  readonly #best: Int32Array;
  readonly #taken: Int32Array;

  constructor(groups: Groups, from?: Contest) {
    this.#groups = groups;
    this.#open = from ? [...from.#open] : groups.ranks.map((_ranks, group) => group);
    this.#best = from ? from.#best.slice() : Int32Array.from(groups.ranks, ([first = -1]) => first);
    this.#taken = from ? from.#taken.slice() : new Int32Array(groups.ranks.length);
  }

  copy(): Contest {
    return new Contest(this.#groups, this);
  }

  /** Takes the cluster with the highest spread score above `least`, the best rank among equals. */
  take(counts: readonly DomainCounts[], least: number): { readonly rank: number; readonly spread: number } | undefined {
    const open = this.#open;
    let at = -1;
    let rank = -1;
    let highest = least;
    for (let i = 0; i < open.length; i++) {
      const group = open[i] ?? 0;
      const spread = this.#spread(group, counts);
      if (spread < highest || (spread === highest && at < 0)) continue;
      const candidate = this.#best[group] ?? -1;
      if (spread === highest && candidate > rank) continue;
      at = i;
      rank = candidate;
      highest = spread;
    }
    if (at < 0) return undefined;
    this.#advance(at);
    return { rank, spread: highest };
  }

  #spread(group: number, counts: readonly DomainCounts[]): number {
    const { domains } = this.#groups;
    let spread = 0;
    for (let i = 0; i < counts.length; i++) spread += counts[i]?.effect(domains[i]?.[group] ?? -1) ?? 0;
    return spread;
  }

  #advance(at: number): void {
    const group = this.#open[at] ?? 0;
    const ranks = this.#groups.ranks[group] ?? [];
    const taken = (this.#taken[group] ?? 0) + 1;
    this.#taken[group] = taken;
    this.#best[group] = ranks[taken] ?? -1;
    if (taken < ranks.length) return;
    const last = this.#open.pop();
    if (last !== undefined && at < this.#open.length) this.#open[at] = last;
  }
}
