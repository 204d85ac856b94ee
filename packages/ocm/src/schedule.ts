import type { ClusterRow } from './cluster-row.ts';
import type { CompiledPlacement } from './compiled-placement.ts';
import type { ScoreLookup } from './expressions/managed-cluster-library.ts';
import type { DecisionCounts } from './prioritizers/prioritizer.ts';

/** Runs a plugin, or the expressions of one selector for one cluster, and may take the time. */
export type Measure = <T>(type: 'filter' | 'prioritizer' | 'expressions', plugin: string, run: () => T) => T;

/** All that one schedule reads. */
export interface Schedule {
  readonly placement: CompiledPlacement;
  /** In the order of their names. */
  readonly rows: readonly ClusterRow[];
  readonly chosen: ReadonlySet<string>;
  readonly elsewhere: DecisionCounts;
  readonly scoreOf: ScoreLookup;
  readonly now: number;
  readonly measure: Measure;
}

/** As OCM calls them. */
export const filterNames = { predicate: 'Predicate', taint: 'TaintToleration' } as const;
