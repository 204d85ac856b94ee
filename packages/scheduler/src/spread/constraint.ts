import type { TopologySpreadConstraint } from '@flotilla/api';
import { maxConstraints } from '../rules/size-limits.ts';

export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** Whether a cluster that violates it is refused, or only ranked lower. */
  readonly isRequired: boolean;
}

/** Required ones first: a cluster that violates one has no score. Anything but ScheduleAnyway is required. */
export function compileConstraints(constraints: readonly TopologySpreadConstraint[]): SpreadConstraint[] {
  const compiled = constraints.slice(0, maxConstraints).map(({ topologyKey, maxSkew, whenUnsatisfiable }) => ({
    topologyKey,
    maxSkew: maxSkew ?? 1,
    isRequired: whenUnsatisfiable !== 'ScheduleAnyway',
  }));
  return [...compiled.filter(({ isRequired }) => isRequired), ...compiled.filter(({ isRequired }) => !isRequired)];
}
