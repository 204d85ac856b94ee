import { formatTime } from '@flotilla/kube';
import type { Condition, Job } from '../kinds.ts';
import { canRun } from './images.ts';
import type { NextStatus } from '../status/next-status.ts';

/** A Job is complete as soon as its pods can run. A complete one stays as it is. */
export function jobStatus({ spec = {}, status = {} }: Readonly<Job>, now: Date): NextStatus {
  const { parallelism = 1, completions = parallelism, suspend = false } = spec;
  const { conditions = [] } = status;
  if (conditions.some(({ type, status: is }) => type === 'Complete' && is === 'True')) return { status };
  if (suspend) return { status: suspended(status, now) };
  const startTime = status.startTime ?? formatTime(now);
  const none = { terminating: 0, uncountedTerminatedPods: {}, ready: 0 };
  const resumed = withoutSuspension(conditions, now);
  if (!canRun(spec.template)) {
    const active = Math.min(parallelism, completions);
    const others = resumed.length > 0 ? { conditions: resumed } : {};
    return { status: { ...others, startTime, ...(active > 0 && { active }), ...none } };
  }
  return {
    status: {
      conditions: [...resumed, done('SuccessCriteriaMet', now), done('Complete', now)],
      startTime,
      completionTime: formatTime(now),
      ...(completions > 0 && { succeeded: completions }),
      ...(spec.completionMode === 'Indexed' && completions > 0 && { completedIndexes: indexes(completions) }),
      ...none,
    },
  };
}

function done(type: string, now: Date): Condition {
  const reason = 'CompletionsReached';
  return conditionAt({ type, status: 'True', reason, message: 'Reached expected number of succeeded pods' }, now);
}

function conditionAt(condition: Condition, now: Date): Condition {
  const time = formatTime(now);
  const { type, status, ...rest } = condition;
  return { type, status, lastProbeTime: time, lastTransitionTime: time, ...rest };
}

const suspension = 'Suspended';

function suspended(status: NonNullable<Job['status']>, now: Date): NonNullable<Job['status']> {
  const { conditions = [] } = status;
  const before = conditions.find(({ type }) => type === suspension);
  const none = { terminating: 0, uncountedTerminatedPods: {}, ready: 0 };
  if (before?.status === 'True') return { conditions, ...none };
  const condition = { type: suspension, status: 'True', reason: 'JobSuspended', message: 'Job suspended' };
  const others = conditions.filter(({ type }) => type !== suspension);
  return { conditions: [...others, conditionAt(condition, now)], ...none };
}

function withoutSuspension(conditions: readonly Condition[], now: Date): Condition[] {
  return conditions.map((condition) => {
    if (condition.type !== suspension || condition.status !== 'True') return condition;
    const resumed = { type: suspension, status: 'False', reason: 'JobResumed', message: 'Job resumed' };
    return conditionAt(resumed, now);
  });
}

function indexes(count: number): string {
  return count === 1 ? '0' : `0-${count - 1}`;
}
