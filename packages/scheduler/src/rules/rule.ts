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

/** The first requirement of a term that the cluster does not meet. */
export interface TermFailure {
  /** Index in the policy. */
  readonly term: number;
  /** As text: `region in (east,west)`, `kubernetes-fleet.io/node-count Ge 3`. */
  readonly requirement: string;
  /** What the cluster has; undefined if it lacks the label or the property. */
  readonly value?: string;
  /** Why no cluster can meet it, or why the cluster's value cannot be compared. */
  readonly problem?: string;
}
