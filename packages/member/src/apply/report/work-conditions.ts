/** The conditions of a Work, from all its manifests. Undefined means: no such condition, and an earlier one is removed. */
import { workConditions, workReasons, type ConditionState } from '@flotilla/api';
import { isApplied, isAvailable, isDiffReported, type Outcome } from '../manifest/outcome.ts';

export interface WorkFacts {
  readonly generation: number;
  readonly isReportDiff: boolean;
  readonly outcomes: readonly Outcome[];
}

export function workAppliedCondition({ generation, isReportDiff, outcomes }: WorkFacts): ConditionState | undefined {
  if (isReportDiff) return undefined;
  const about = { type: workConditions.applied, observedGeneration: generation };
  const applied = outcomes.filter(isApplied).length;
  return applied === outcomes.length
    ? { ...about, status: 'True', reason: workReasons.allApplied, message: 'all manifests are applied' }
    : { ...about, status: 'False', reason: workReasons.someNotApplied, message: share(applied, outcomes, 'applied') };
}

/** Undefined until all manifests are applied. */
export function workAvailableCondition({ generation, isReportDiff, outcomes }: WorkFacts): ConditionState | undefined {
  if (isReportDiff || !outcomes.every(isApplied)) return undefined;
  const about = { type: workConditions.available, observedGeneration: generation };
  const available = outcomes.filter(isAvailable).length;
  if (available < outcomes.length) {
    const message = share(available, outcomes, 'available');
    return { ...about, status: 'False', reason: workReasons.someNotAvailable, message };
  }
  if (outcomes.some(({ availability }) => availability?.result === 'NotTrackable')) {
    const message = 'all objects are available; some objects cannot be tracked and count as available';
    return { ...about, status: 'True', reason: workReasons.notTrackable, message };
  }
  return { ...about, status: 'True', reason: workReasons.allAvailable, message: 'all objects are available' };
}

export function workDiffReportedCondition(facts: WorkFacts): ConditionState | undefined {
  const { generation, isReportDiff, outcomes } = facts;
  if (!isReportDiff) return undefined;
  const about = { type: workConditions.diffReported, observedGeneration: generation };
  const reported = outcomes.filter(isDiffReported).length;
  if (reported === outcomes.length) {
    return { ...about, status: 'True', reason: workReasons.allDiffReported, message: 'all manifests are compared' };
  }
  const message = share(reported, outcomes, 'compared with the member');
  return { ...about, status: 'False', reason: workReasons.someDiffNotReported, message };
}

export function workTrimmedCondition({ generation }: WorkFacts, excessBytes: number): ConditionState {
  return {
    type: workConditions.statusTrimmed,
    observedGeneration: generation,
    status: 'True',
    reason: workReasons.oversized,
    message: `the Work would exceed its size limit by ${excessBytes} bytes, so details of drifts and diffs, and statuses of objects, are omitted`,
  };
}

function share(count: number, outcomes: readonly Outcome[], done: string): string {
  return `${count} of ${outcomes.length} manifests are ${done}; see manifestConditions`;
}
