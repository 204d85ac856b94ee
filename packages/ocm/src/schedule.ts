import type { ClusterRow } from './cluster-row.ts';
import type { CompiledPlacement } from './compiled-placement.ts';
import type { ScoreLookup } from './expressions/managed-cluster-library.ts';
import type { DecisionCounts } from './prioritizers/prioritizer.ts';

/** Runs a plugin, and may take its time. */
export type Measure = <T>(type: 'filter' | 'prioritizer', plugin: string, run: () => T) => T;

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
