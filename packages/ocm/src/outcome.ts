import type { ManagedClusterTaint, SpreadConstraint } from '@flotilla/api';
import type { ClusterRow } from './cluster-row.ts';
import type { PredicateFailure } from './filters/predicates.ts';
import type { Candidate } from './spread.ts';

/** A problem of the schedule. Misconfigured: nothing is selected. Warning: reported in an event. */
export interface Problem {
  readonly code: 'Misconfigured' | 'Warning';
  /** Empty for problems of the prioritizer policy and of decision groups. */
  readonly plugin: string;
  readonly message: string;
}

export interface FilterResult {
  /** The filters so far: `Predicate,TaintToleration`. */
  readonly name: string;
  readonly rows: readonly ClusterRow[];
}

export interface PrioritizerResult {
  readonly name: string;
  readonly weight: number;
  /** By cluster. Clusters that it cannot score are missing. */
  readonly scores: ReadonlyMap<string, number>;
}

/** What a Placement selects, and why. */
export interface PlacementOutcome {
  /** By rank. */
  readonly selected: readonly Candidate[];
  /** All clusters that passed the filters, by rank, the selected ones among them. Empty if the Placement is misconfigured. */
  readonly ranked: readonly Candidate[];
  /** How many clusters are missing. */
  readonly unscheduled: number;
  readonly problem: Problem | undefined;
  readonly filters: readonly FilterResult[];
  readonly prioritizers: readonly PrioritizerResult[];
  /** When time alone changes the outcome, in milliseconds since the epoch. Undefined if it does not. */
  readonly changesAt: number | undefined;
  /** What was found about a cluster; undefined if it is no candidate. */
  readonly verdictOf: (cluster: string) => Verdict | undefined;
}

export type Verdict =
  | { readonly outcome: 'Selected' | 'Outscored'; readonly score: number; readonly parts: readonly ScorePart[] }
  | { readonly outcome: 'Rejected'; readonly plugin: string; readonly evidence: Evidence };

/** One prioritizer's part of a score. */
export interface ScorePart {
  readonly prioritizer: string;
  readonly weight: number;
  /** Undefined if the prioritizer cannot score the cluster. */
  readonly score: number | undefined;
}

/** Why a cluster is not selected, for programs. */
export type Evidence =
  | { readonly kind: 'misconfigured'; readonly message: string }
  | { readonly kind: 'predicates'; readonly failures: readonly PredicateFailure[] }
  | { readonly kind: 'taint'; readonly taint: ManagedClusterTaint; readonly expiredAt?: number }
  | { readonly kind: 'spread'; readonly constraint: SpreadConstraint };
