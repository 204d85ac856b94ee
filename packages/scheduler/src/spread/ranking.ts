import { quote } from '@flotilla/kube';
import type { Score } from '../decisions.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Explanation } from '../rules/rule.ts';
import type { SpreadConstraint } from './constraint.ts';
import { DomainCounts } from './domain-counts.ts';

/** What one more cluster that violates a ScheduleAnyway constraint costs. */
const violationPenalty = 1000;

/** Clusters in the same domains of all constraints. They differ only in what never changes, so they are sorted once. */
interface Group {
  /** By constraint; -1 if the clusters lack its label. */
  readonly domains: readonly number[];
  /** Positions, best first. */
  readonly members: number[];
  /** Index of the best member that is not chosen yet. */
  next: number;
  spread: number;
  /** The first required constraint that one more cluster of the group would violate. */
  violated: DomainCounts | undefined;
}

export interface RankingOptions {
  readonly evaluation: Evaluation;
  readonly constraints: readonly SpreadConstraint[];
  /** Whether the cluster at a position has a binding of the current snapshot: it counts in its domains. */
  readonly isKept: (position: number) => boolean;
  /** Whether it has a binding of an earlier snapshot: it wins against others with the same scores. */
  readonly isPreferred: (position: number) => boolean;
  readonly isEligible: (position: number) => boolean;
}

/**
 * Chooses clusters one after the other, because each choice changes the skew for the next. KubeFleet makes a whole decision for each,
 * and forgets in between which clusters the placement had before.
 */
export class Ranking {
  readonly #evaluation: Evaluation;
  readonly #counts: readonly DomainCounts[];
  readonly #groups: readonly Group[];
  readonly #groupAt = new Map<number, Group>();
  readonly #isPreferred: (position: number) => boolean;

  constructor({ evaluation, constraints, isKept, isPreferred, isEligible }: RankingOptions) {
    const { rows } = evaluation.view;
    // Clusters that cannot be reached form no domain: it would stay empty and block all others. Those that the policy excludes do:
    // KubeFleet's suite asserts scores that depend on it.
    const forms = (position: number): boolean => isEligible(position) || isKept(position);
    this.#evaluation = evaluation;
    this.#isPreferred = isPreferred;
    this.#counts = constraints.map((constraint) => new DomainCounts(constraint, rows, forms, isKept));
    this.#groups = this.#group(
      rows.map((_row, position) => position).filter((at) => evaluation.passes(at) && !isKept(at)),
    );
    this.#assess();
  }

  /** Chooses up to `count` clusters. Afterwards everything else is reported as the last choice found it. */
  choose(count: number): { readonly position: number; readonly score: Score }[] {
    const choices: { readonly position: number; readonly score: Score }[] = [];
    while (choices.length < count) {
      if (choices.length > 0) this.#assess();
      const best = this.#best(this.#groups);
      if (best === undefined) break;
      const position = best.members[best.next++] ?? -1;
      choices.push({ position, score: { affinity: this.#affinity(position), spread: best.spread } });
      if (choices.length < count) for (const [i, counts] of this.#counts.entries()) counts.add(best.domains[i] ?? -1);
    }
    return choices;
  }

  /** The clusters that could be chosen next, best first. */
  *outscored(): Iterable<{ readonly position: number; readonly score: Score }> {
    const groups = this.#groups.map((group) => ({ ...group }));
    for (let best = this.#best(groups); best !== undefined; best = this.#best(groups)) {
      const position = best.members[best.next++] ?? -1;
      yield { position, score: { affinity: this.#affinity(position), spread: best.spread } };
    }
  }

  /** The score of a cluster that passes all rules; undefined if a required constraint refuses it. */
  scoreOf(position: number): Score | undefined {
    const group = this.#groupAt.get(position);
    if (group === undefined || group.violated !== undefined) return undefined;
    return { affinity: this.#affinity(position), spread: group.spread };
  }

  /** Why a required constraint refuses the cluster; undefined if none does. */
  violation(position: number): (Explanation & { readonly plugin: string }) | undefined {
    const violated = this.#groupAt.get(position)?.violated;
    if (violated === undefined) return undefined;
    const { topologyKey, maxSkew } = violated.constraint;
    const { smallest, largest } = violated;
    const domain = violated.domain(position);
    return {
      plugin: 'TopologySpreadConstraints',
      reasons: [`violated doNotSchedule topology spread constraint ${quote(topologyKey)} (max skew ${maxSkew})`],
      evidence: {
        kind: 'spread',
        topologyKey,
        maxSkew,
        domain: violated.names[domain] ?? '',
        count: violated.count(domain),
        smallest,
        largest,
      },
    };
  }

  isRefused(position: number): boolean {
    return this.#groupAt.get(position)?.violated !== undefined;
  }

  #affinity(position: number): number {
    return this.#evaluation.affinityScores[position] ?? 0;
  }

  /** What one more cluster of each group would do to the spread. */
  #assess(): void {
    for (const group of this.#groups) {
      group.spread = 0;
      group.violated = undefined;
      for (const [i, counts] of this.#counts.entries()) {
        const domain = group.domains[i] ?? -1;
        if (domain < 0) continue;
        const change = counts.skewChange(domain);
        const isViolated = counts.isViolatedBy(change);
        if (isViolated && counts.constraint.isRequired) {
          group.violated = counts;
          break;
        }
        group.spread -= isViolated ? violationPenalty : change;
      }
    }
  }

  #best(groups: readonly Group[]): Group | undefined {
    let best: Group | undefined;
    for (const group of groups) {
      if (group.violated !== undefined || group.next >= group.members.length) continue;
      if (best === undefined || this.#isBetter(group, best)) best = group;
    }
    return best;
  }

  #isBetter(a: Group, b: Group): boolean {
    if (a.spread !== b.spread) return a.spread > b.spread;
    return this.#compare(a.members[a.next] ?? -1, b.members[b.next] ?? -1) < 0;
  }

  /** Negative if the first is better. Names decide last, the largest wins, as in KubeFleet. */
  #compare(a: number, b: number): number {
    const affinity = this.#affinity(b) - this.#affinity(a);
    if (affinity !== 0) return affinity;
    const preferred = Number(this.#isPreferred(b)) - Number(this.#isPreferred(a));
    return preferred === 0 ? b - a : preferred;
  }

  #group(positions: readonly number[]): Group[] {
    const groups = new Map<string, Group>();
    for (const position of positions) {
      const domains = this.#counts.map((counts) => counts.domain(position));
      const key = domains.join();
      const group = groups.get(key) ?? { domains, members: [], next: 0, spread: 0, violated: undefined };
      group.members.push(position);
      groups.set(key, group);
      this.#groupAt.set(position, group);
    }
    for (const { members } of groups.values()) members.sort((a, b) => this.#compare(a, b));
    return [...groups.values()];
  }
}
