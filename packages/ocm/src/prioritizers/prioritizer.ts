import type { ClusterRow } from '../cluster-row.ts';
import type { ScoreLookup } from '../expressions/managed-cluster-library.ts';

/** How often other Placements have selected clusters. */
export interface DecisionCounts {
  countOf(cluster: string): number;
  /** The largest count of any cluster, even of one that is no candidate. */
  largest(): number;
}

/** What prioritizers read. */
export interface ScoringContext {
  /** Clusters that passed the filters. */
  readonly rows: readonly ClusterRow[];
  /** Clusters that the Placement has selected already. */
  readonly chosen: ReadonlySet<string>;
  readonly elsewhere: DecisionCounts;
  readonly scoreOf: ScoreLookup;
  readonly now: number;
}

export interface Scores {
  /** By position in `rows`; undefined for clusters that it cannot score. */
  readonly values: readonly (number | undefined)[];
  /** For an event about the decisions. */
  readonly warning?: string;
  /** When a score stops counting, in milliseconds since the epoch. */
  readonly changesAt?: number;
}

export interface Prioritizer {
  readonly name: string;
  score(context: ScoringContext): Scores;
}
