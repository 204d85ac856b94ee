import { quote } from '@flotilla/kube';
import type { Score } from '../decisions.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Rejection } from '../rules/rule.ts';
import type { SpreadConstraint } from './constraint.ts';
import { DomainCounts, refused } from './domain-counts.ts';
import { Contest, groupByDomains } from './groups.ts';

export interface RankingOptions {
  readonly evaluation: Evaluation;
  readonly constraints: readonly SpreadConstraint[];
  /** Whether the cluster at a position has a binding of the current snapshot: it counts in its domains. */
  readonly isKept: (position: number) => boolean;
  /** Whether it has a binding of an earlier snapshot: it wins against others with the same scores. */
  readonly isPreferred: (position: number) => boolean;
}

export interface RankedCluster {
  readonly position: number;
  readonly score: Score;
}

/**
 * Chooses clusters one after the other, because each choice changes the skew for the next. KubeFleet makes a whole decision for each,
 * and forgets in between which clusters the placement had before.
 */
export class Ranking {
  readonly #evaluation: Evaluation;
  readonly #counts: readonly DomainCounts[];
  /** Positions of the clusters that can be chosen, by rank. */
  readonly #ranked: readonly number[];
  readonly #contest: Contest;

  constructor({ evaluation, constraints, isKept, isPreferred }: RankingOptions) {
    const forms = (position: number): boolean => evaluation.formsDomains(position);
    this.#evaluation = evaluation;
    this.#counts = constraints.map((constraint) => new DomainCounts(constraint, evaluation.view, forms, isKept));
    this.#ranked = rankedPositions(evaluation, isKept, isPreferred);
    this.#contest = new Contest(groupByDomains(this.#counts, this.#ranked));
  }

  /** Chooses up to `count` clusters. Afterwards all others are reported as the last choice found them. */
  choose(count: number): RankedCluster[] {
    const choices: RankedCluster[] = [];
    while (choices.length < count) {
      const best = this.#take(this.#contest);
      if (best === undefined) break;
      choices.push(best);
      if (choices.length < count) for (const counts of this.#counts) counts.add(counts.domain(best.position));
    }
    return choices;
  }

  /** The clusters that could be chosen next, best first. */
  *outscored(): Iterable<RankedCluster> {
    const contest = this.#contest.copy();
    for (let best = this.#take(contest); best !== undefined; best = this.#take(contest)) yield best;
  }

  /** The score of a cluster that passes all rules; undefined if a required constraint refuses it. */
  scoreOf(position: number): Score | undefined {
    const spread = this.#counts.reduce((sum, counts) => sum + counts.effect(counts.domain(position)), 0);
    return spread <= leastSpread ? undefined : { affinity: this.#affinity(position), spread };
  }

  /** Why a required constraint refuses a cluster that passes all rules; undefined if none does. */
  violation(position: number): Rejection | undefined {
    const violated = this.#counts.find((counts) => counts.effect(counts.domain(position)) === refused);
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
        domain: violated.name(domain),
        count: violated.count(domain),
        smallest,
        largest,
      },
    };
  }

  #affinity(position: number): number {
    return this.#evaluation.affinityScores[position] ?? 0;
  }

  #take(contest: Contest): RankedCluster | undefined {
    const best = contest.take(this.#counts, leastSpread);
    if (best === undefined) return undefined;
    const position = this.#ranked[best.rank] ?? -1;
    return { position, score: { affinity: this.#affinity(position), spread: best.spread } };
  }
}

/** Clusters with a lower spread score are refused. */
const leastSpread = refused / 2;

/** The clusters that can be chosen, in the order of what no choice changes. Names decide last, the largest wins, as in KubeFleet. */
function rankedPositions(
  evaluation: Evaluation,
  isKept: (position: number) => boolean,
  isPreferred: (position: number) => boolean,
): number[] {
  const { view, affinityScores } = evaluation;
  const positions: number[] = [];
  for (let position = view.rows.length - 1; position >= 0; position--) {
    if (evaluation.passes(position) && !isKept(position)) positions.push(position);
  }
  const affinity = (position: number): number => affinityScores[position] ?? 0;
  return positions.sort(
    (a, b) => affinity(b) - affinity(a) || Number(isPreferred(b)) - Number(isPreferred(a)) || b - a,
  );
}
