import type { Taint } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import type { Ineligibility } from '../eligibility.ts';

/** A requirement that every chosen cluster meets, compiled for one policy. */
export interface Rule {
  /** The plugin that it belongs to, as KubeFleet calls it. */
  readonly plugin: string;
  /**
   * Whether clusters that it rejects still form topology domains. KubeFleet's suite asserts scores that depend on it for affinity and
   * taints. Otherwise a domain where no cluster can be chosen would stay empty and block the others.
   */
  readonly keepsDomains: boolean;
  /** Undefined if the cluster passes. A rejection costs nothing to keep: it is explained only when it is read. */
  reject(row: ClusterRow): unknown;
  explain(rejection: unknown, row: ClusterRow): Explanation;
}

export interface Explanation {
  /** Sentences for the status of the policy snapshot. KubeFleet's where it has the same rule. */
  readonly reasons: readonly string[];
  readonly evidence: Evidence;
}

/** An explanation with the plugin that it comes from. */
export interface Rejection extends Explanation {
  readonly plugin: string;
}

/** Why a cluster is rejected, for programs. */
export type Evidence =
  | { readonly kind: 'candidates' }
  | { readonly kind: 'names' }
  | { readonly kind: 'affinity'; readonly terms: readonly TermFailure[] }
  | { readonly kind: 'eligibility'; readonly check: Ineligibility }
  | { readonly kind: 'namespace'; readonly namespace: string; readonly isReported: boolean }
  | { readonly kind: 'taint'; readonly taint: Taint }
  | { readonly kind: 'plugin'; readonly plugin: string; readonly isFault: boolean }
  | {
      readonly kind: 'spread';
      readonly topologyKey: string;
      readonly domain: string;
      /** Chosen clusters in this domain, in the emptiest and in the fullest. */
      readonly count: number;
      readonly smallest: number;
      readonly largest: number;
      readonly maxSkew: number;
    };

/** The requirements of a term that the cluster does not meet. */
export interface TermFailure {
  /** Index in the policy. */
  readonly term: number;
  readonly unmet: readonly Requirement[];
}

/** What a policy requires of a cluster, and what the cluster has. */
export interface Requirement {
  readonly about: 'label' | 'property';
  /** As text: `region in (east,west)`, `kubernetes-fleet.io/node-count Ge 3`. */
  readonly requirement: string;
  /** What the cluster has; undefined if it lacks the label or the property. */
  readonly value?: string;
  /** Why no cluster can meet it, or why the cluster's value cannot be compared. */
  readonly problem?: string;
}

/** What speaks for a cluster that passes all rules, for programs. */
export interface Support {
  /** The first required term that the cluster matches, with its requirements; absent if the policy has none. */
  readonly match?: { readonly term: number; readonly met: readonly Requirement[] };
  /** What the affinity score is made of. */
  readonly scores: readonly ScorePart[];
}

/** A preferred term of the policy, or a plugin, with what it adds to the affinity score. */
export type ScorePart =
  | {
      readonly term: number;
      readonly score: number;
      readonly weight: number;
      readonly requirements: readonly Requirement[];
    }
  | { readonly plugin: string; readonly score: number };
