/** When a Job ends, and why. */
import type { Job, Pod } from '../kinds.ts';
import { responseTo } from './failure-policy.ts';
import { countIndexes } from './index-ranges.ts';
import { knownVerdict, type Verdict } from './job-condition.ts';
import { isFailed } from './job-pod.ts';
import type { JobProgress } from './job-progress.ts';
import { metRule } from './success-policy.ts';

export const completionsReached: Verdict = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** Undefined while the Job goes on, or may be complete when its last pods are deleted. */
export function verdictOn(job: Readonly<Job>, progress: JobProgress, now: Date): Verdict | undefined {
  return (
    knownVerdict(job) ??
    policyFailure(job, progress) ??
    limitFailure(job, progress, now) ??
    indexFailure(job, progress) ??
    policySuccess(job, progress)
  );
}

/** Milliseconds until the Job has been active for too long; undefined without a deadline. */
export function untilDeadline({ spec, status }: Readonly<Job>, now: Date): number | undefined {
  const { suspend = false } = spec ?? {};
  // An int64 may be a bigint.
  const activeDeadlineSeconds = spec?.activeDeadlineSeconds as number | bigint | undefined;
  if (activeDeadlineSeconds === undefined || suspend) return undefined;
  const start = Date.parse(status?.startTime ?? '');
  const since = Number.isNaN(start) ? now.getTime() : start;
  return Math.max(0, since + Number(activeDeadlineSeconds) * 1000 - now.getTime());
}

function failure(reason: string, message: string): Verdict {
  return { type: 'FailureTarget', reason, message };
}

function policyFailure(job: Readonly<Job>, { pods }: JobProgress): Verdict | undefined {
  if (job.spec?.podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    const message = isFailed(pod, job) ? responseTo(pod, job).message : undefined;
    if (message !== undefined) return failure('PodFailurePolicy', message);
  }
  return undefined;
}

function limitFailure(job: Readonly<Job>, { pods, failed }: JobProgress, now: Date): Verdict | undefined {
  const { backoffLimit = 6 } = job.spec ?? {};
  if (failed > backoffLimit || restartsExceed(job, pods, backoffLimit)) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  return job.status?.startTime !== undefined && untilDeadline(job, now) === 0
    ? failure('DeadlineExceeded', 'Job was active longer than specified deadline')
    : undefined;
}

/** Pods that restart their containers fail by restarts. */
function restartsExceed({ spec }: Readonly<Job>, pods: readonly Readonly<Pod>[], limit: number): boolean {
  if (spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    for (const { restartCount = 0 } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
      restarts += restartCount;
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function indexFailure({ spec }: Readonly<Job>, { indexes }: JobProgress): Verdict | undefined {
  if (indexes?.failed === undefined) return undefined;
  const failed = countIndexes(indexes.failed);
  if (failed > (spec?.maxFailedIndexes ?? Infinity)) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failure('MaxFailedIndexesExceeded', message);
  }
  const isOver = failed > 0 && failed + countIndexes(indexes.succeeded) >= (spec?.completions ?? 0);
  return isOver ? failure('FailedIndexes', 'Job has failed indexes') : undefined;
}

function policySuccess(job: Readonly<Job>, { indexes }: JobProgress): Verdict | undefined {
  const rule = indexes && metRule(job, indexes.succeeded);
  if (rule === undefined) return undefined;
  return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${rule}` };
}
