/** What is said about all manifests of a Work together. Undefined: nothing, and what was said before is taken back. */
import { workConditions, workReasons } from '@flotilla/api';
import { isApplied, isAvailable, isDiffReported, type Outcome } from '../manifest/outcome.ts';
import { type Statement } from '../../bounded-condition.ts';

export interface WorkFacts {
  readonly generation: number;
  readonly isReportDiff: boolean;
  readonly outcomes: readonly Outcome[];
}

export function workAppliedStatement({ generation, isReportDiff, outcomes }: WorkFacts): Statement | undefined {
  if (isReportDiff) return undefined;
  const about = { type: workConditions.applied, observedGeneration: generation };
  const applied = outcomes.filter(isApplied).length;
  return applied === outcomes.length
    ? { ...about, status: 'True', reason: workReasons.allApplied, message: 'all manifests are applied' }
    : { ...about, status: 'False', reason: workReasons.someNotApplied, message: share(applied, outcomes, 'applied') };
}

/** Nothing is said while something is not applied. */
export function workAvailableStatement({ generation, isReportDiff, outcomes }: WorkFacts): Statement | undefined {
  if (isReportDiff || !outcomes.every(isApplied)) return undefined;
  const about = { type: workConditions.available, observedGeneration: generation };
  const available = outcomes.filter(isAvailable).length;
  if (available < outcomes.length) {
    const message = share(available, outcomes, 'available');
    return { ...about, status: 'False', reason: workReasons.someNotAvailable, message };
  }
  if (outcomes.some(({ availability }) => availability?.result === 'NotTrackable')) {
    const message = 'all objects count as available, though of some nobody can tell';
    return { ...about, status: 'True', reason: workReasons.notTrackable, message };
  }
  return { ...about, status: 'True', reason: workReasons.allAvailable, message: 'all objects are available' };
}

export function workDiffReportedStatement({ generation, isReportDiff, outcomes }: WorkFacts): Statement | undefined {
  if (!isReportDiff) return undefined;
  const about = { type: workConditions.diffReported, observedGeneration: generation };
  const reported = outcomes.filter(isDiffReported).length;
  if (reported === outcomes.length) {
    return { ...about, status: 'True', reason: workReasons.allDiffReported, message: 'all manifests are compared' };
  }
  const message = share(reported, outcomes, 'compared with the member');
  return { ...about, status: 'False', reason: workReasons.someDiffNotReported, message };
}

export function workTrimmedStatement({ generation }: WorkFacts, bytesTooMany: number): Statement {
  return {
    type: workConditions.statusTrimmed,
    observedGeneration: generation,
    status: 'True',
    reason: workReasons.oversized,
    message: `the Work would be ${bytesTooMany} bytes too large, so details of drifts and diffs, and statuses of objects, are left out`,
  };
}

function share(count: number, outcomes: readonly Outcome[], done: string): string {
  return `${count} of ${outcomes.length} manifests are ${done}; see manifestConditions`;
}
