import { formatTime } from '@flotilla/kube';
import type { PlannedEvent } from '@flotilla/runtime';
import type { Condition, Job, JobStatus, Pod } from '../kinds.ts';
import { responseTo } from './failure-policy.ts';
import { countIndexes, hasIndex, printIndexes, rangesOf, unionOf } from './index-ranges.ts';
import { jobCondition, withCondition, type Verdict } from './job-condition.ts';
import { completionIndexOf, isFailed, isTracked } from './job-pod.ts';
import { hasValidIndex, uncountedOf, validIndexOf, type JobProgress } from './job-progress.ts';

export interface JobCounts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

export interface NextJobStatus {
  readonly status: JobStatus;
  /** The pods that need no finalizer once the status is written: it counts them, or they count for nothing. */
  readonly uncountable: readonly Readonly<Pod>[];
  readonly events: readonly PlannedEvent[];
}

/** Bounds the uids that a status lists. */
const maxUncounted = 500;

export function nextStatus(
  job: Readonly<Job>,
  progress: JobProgress,
  { active, ready, terminating }: JobCounts,
  verdict: Verdict | undefined,
  now: Date,
): NextJobStatus {
  const count = countPods(job, progress, verdict);
  const { conditions, startTime, events } = suspension(job, verdict, now);
  const isOver = verdict !== undefined && count.uncountable.length === 0 && count.uncounted === 0 && terminating === 0;
  const final = isOver ? finalConditionFor(verdict, now) : undefined;
  const known =
    verdict === undefined ? conditions : withCondition(conditions, jobCondition(verdict.type, 'True', verdict, now));
  const all = final === undefined ? known : withCondition(known, final);
  const status: JobStatus = {
    ...(all.length > 0 && { conditions: [...all] }),
    ...(startTime !== undefined && { startTime }),
    ...(final?.type === 'Complete' && { completionTime: formatTime(now) }),
    ...(active > 0 && { active }),
    ...(count.succeeded > 0 && { succeeded: count.succeeded }),
    ...(count.failed > 0 && { failed: count.failed }),
    terminating,
    ...count.lists,
    ready,
  };
  return {
    status,
    uncountable: count.uncountable,
    events: final === undefined ? events : [...events, ...endEvents(job, count.succeeded, final)],
  };
}

interface Count {
  readonly succeeded: number;
  readonly failed: number;
  readonly uncounted: number;
  readonly uncountable: readonly Readonly<Pod>[];
  /** The fields of the status that list indexes and pods. */
  readonly lists: Pick<JobStatus, 'completedIndexes' | 'failedIndexes' | 'uncountedTerminatedPods'>;
}

function countPods(job: Readonly<Job>, { pods, indexes }: JobProgress, verdict: Verdict | undefined): Count {
  const status = job.status ?? {};
  const before = uncountedOf(status);
  const tracked = pods.filter(isTracked);
  const trackedUids = new Set(tracked.map(({ metadata }) => metadata.uid ?? ''));
  // Of the pods that the status names, those without the finalizer move to the counters.
  const succeededUids = [...before.succeeded].filter((uid) => trackedUids.has(uid));
  const failedUids = [...before.failed].filter((uid) => trackedUids.has(uid));
  const succeeded = (status.succeeded ?? 0) + before.succeeded.size - succeededUids.length;
  const failed = (status.failed ?? 0) + before.failed.size - failedUids.length;

  const newIndexes: number[] = [];
  const uncountable: Readonly<Pod>[] = [];
  for (const pod of tracked) {
    if (succeededUids.length + failedUids.length + newIndexes.length >= maxUncounted) break;
    if (!mayUntrack(pod, job, indexes, verdict)) continue;
    uncountable.push(pod);
    const uid = pod.metadata.uid ?? '';
    if (pod.status?.phase === 'Succeeded' && !before.failed.has(uid)) {
      const index = validIndexOf(pod, job);
      if (indexes === undefined) {
        if (!before.succeeded.has(uid)) succeededUids.push(uid);
      } else if (index !== undefined && !hasIndex(indexes.counted, index)) newIndexes.push(index);
    } else if (isFailed(pod, job) || verdict?.type === 'FailureTarget') {
      const isCounted = before.failed.has(uid) || !hasValidIndex(pod, job) || !responseTo(pod, job).counts;
      if (!isCounted) failedUids.push(uid);
    }
  }
  const uncountedTerminatedPods = {
    ...(succeededUids.length > 0 && { succeeded: succeededUids }),
    ...(failedUids.length > 0 && { failed: failedUids }),
  };
  const uncounted = succeededUids.length + failedUids.length;
  if (indexes === undefined) return { succeeded, failed, uncounted, uncountable, lists: { uncountedTerminatedPods } };
  const completed = unionOf(indexes.counted, rangesOf(newIndexes));
  return {
    succeeded: countIndexes(completed),
    failed,
    uncounted,
    uncountable,
    lists: {
      ...(completed.length > 0 && { completedIndexes: printIndexes(completed) }),
      ...(indexes.failed && { failedIndexes: printIndexes(indexes.failed) }),
      uncountedTerminatedPods,
    },
  };
}

/** A failed pod stays until its index has another: it remembers how often the index failed. */
function mayUntrack(
  pod: Readonly<Pod>,
  job: Readonly<Job>,
  indexes: JobProgress['indexes'],
  verdict: Verdict | undefined,
): boolean {
  if (job.metadata.deletionTimestamp !== undefined || verdict !== undefined) return true;
  if (pod.status?.phase === 'Succeeded') return true;
  if (!isFailed(pod, job)) return false;
  return indexes?.awaitingReplacement.get(completionIndexOf(pod) ?? -1) !== pod;
}

interface Suspension {
  readonly conditions: readonly Condition[];
  readonly startTime: string | undefined;
  readonly events: readonly PlannedEvent[];
}

/** A suspended Job has not started. A Job that is resumed starts anew, and with it its deadline. */
function suspension(job: Readonly<Job>, verdict: Verdict | undefined, now: Date): Suspension {
  const { spec, status, metadata } = job;
  const { conditions = [] } = status ?? {};
  const isSuspended = spec?.suspend === true;
  const time = formatTime(now);
  const same = { conditions, startTime: status?.startTime ?? (isSuspended ? undefined : time), events: [] };
  if (verdict !== undefined || metadata.deletionTimestamp !== undefined) return same;
  if (!isSuspended && !conditions.some(({ type }) => type === 'Suspended')) return same;
  const condition = isSuspended
    ? jobCondition('Suspended', 'True', { reason: 'JobSuspended', message: 'Job suspended' }, now)
    : jobCondition('Suspended', 'False', { reason: 'JobResumed', message: 'Job resumed' }, now);
  const changed = withCondition(conditions, condition);
  if (changed === conditions) return same;
  const reason = isSuspended ? 'Suspended' : 'Resumed';
  const event: PlannedEvent = { about: job, type: 'Normal', reason, message: condition.message ?? '' };
  return { conditions: changed, startTime: isSuspended ? undefined : time, events: [event] };
}

function finalConditionFor({ type, reason, message }: Verdict, now: Date): Condition {
  return jobCondition(type === 'FailureTarget' ? 'Failed' : 'Complete', 'True', { reason, message }, now);
}

function endEvents(job: Readonly<Job>, succeeded: number, { type, reason, message }: Condition): PlannedEvent[] {
  if (type === 'Failed') return [{ about: job, type: 'Warning', reason: reason ?? '', message: message ?? '' }];
  const completed: PlannedEvent = { about: job, type: 'Normal', reason: 'Completed', message: 'Job completed' };
  if (succeeded <= (job.spec?.completions ?? Infinity)) return [completed];
  const tooMany = 'Too many succeeded pods running after completion count reached';
  return [{ about: job, type: 'Warning', reason: 'TooManySucceededPods', message: tooMany }, completed];
}
