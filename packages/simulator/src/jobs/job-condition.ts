import { formatTime } from '@flotilla/kube';
import type { Condition, Job } from '../kinds.ts';

/** Why a Job ends or has ended. */
export interface Verdict {
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget';
  readonly reason: string;
  readonly message: string;
}

export function jobCondition(
  type: string,
  status: 'True' | 'False',
  { reason, message }: { readonly reason: string; readonly message: string },
  now: Date,
): Condition {
  const time = formatTime(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

export function trueCondition({ status }: Readonly<Job>, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/** The condition that says how the Job ended. */
export function finalCondition(job: Readonly<Job>): Condition | undefined {
  return job.status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
}

/** The verdict that the status already has. */
export function knownVerdict(job: Readonly<Job>): Verdict | undefined {
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const condition = trueCondition(job, type);
    if (condition !== undefined) {
      return { type, reason: condition.reason ?? '', message: condition.message ?? '' };
    }
  }
  return undefined;
}

/** Sets a condition; its times change only if it does. */
export function withCondition(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  if (before === undefined) return [...conditions, condition];
  const isSame =
    before.status === condition.status && before.reason === condition.reason && before.message === condition.message;
  return isSame ? conditions : conditions.with(index, condition);
}
