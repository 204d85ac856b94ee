/** Which pods a Job that goes on creates and deletes. */
import type { Job, Pod } from '../kinds.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import { untilIndexRetry, untilRetry, type RecentFailures } from './backoff.ts';
import { responseTo } from './failure-policy.ts';
import { firstMissing, rangesOf, unionOf } from './index-ranges.ts';
import {
  completionIndexOf,
  earlierFailuresOf,
  isIndexed,
  newPod,
  replacesOnlyFailed,
  trackedTemplate,
} from './job-pod.ts';
import { validIndexOf, type JobProgress } from './job-progress.ts';

/** Kubernetes creates or deletes at most so many pods of a Job at a time. */
const maxBurst = 500;

export interface PodChanges {
  readonly creations: readonly Pod[];
  readonly deletions: readonly Readonly<Pod>[];
  /** Until failed pods may be replaced. */
  readonly requeueAfterMs?: number;
}

export function podChanges(job: Readonly<Job>, progress: JobProgress, failures: RecentFailures, now: Date): PodChanges {
  const { active, terminating } = progress;
  if (job.spec?.suspend === true) return { creations: [], deletions: active };
  const wanted = wantedPods(job, progress);
  const deletions = surplus(job, active, Math.max(0, active.length - wanted), now).slice(0, maxBurst);
  if (deletions.length > 0) return { creations: [], deletions };
  const missing = wanted - active.length - (replacesOnlyFailed(job) ? terminating.length : 0);
  return missing > 0
    ? replacements(job, progress, failures, Math.min(missing, maxBurst), now)
    : { creations: [], deletions: [] };
}

function wantedPods({ spec }: Readonly<Job>, { active, succeeded }: JobProgress): number {
  const { completions, parallelism = 1 } = spec ?? {};
  // Without completions, the first success ends the Job: other pods finish, none is added.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Pods that are too many: those of no index, all but one of an index, and as many others as needed. */
function surplus(job: Readonly<Job>, active: readonly Readonly<Pod>[], count: number, now: Date): Readonly<Pod>[] {
  const inOrder = (pods: readonly Readonly<Pod>[]) => inDeletionOrder(pods, [], now);
  if (!isIndexed(job)) return inOrder(active).slice(0, count);
  const byIndex = Map.groupBy(active, (pod) => validIndexOf(pod, job));
  const removed = [...(byIndex.get(undefined) ?? [])];
  const left: Readonly<Pod>[] = [];
  for (const [index, pods] of byIndex) {
    if (index === undefined) continue;
    const ordered = inOrder(pods);
    removed.push(...ordered.slice(0, -1));
    left.push(...ordered.slice(-1));
  }
  return [...removed, ...inOrder(left).slice(0, Math.max(0, count - removed.length))];
}

function replacements(
  job: Readonly<Job>,
  progress: JobProgress,
  failures: RecentFailures,
  count: number,
  now: Date,
): PodChanges {
  const waitMs = job.spec?.backoffLimitPerIndex === undefined ? untilRetry(failures, now) : 0;
  if (waitMs > 0) return { creations: [], deletions: [], requeueAfterMs: waitMs };
  const template = trackedTemplate(job);
  const takenNames = new Set(progress.pods.map(({ metadata }) => metadata.name ?? ''));
  if (progress.indexes === undefined) {
    const creations = Array.from({ length: count }, () => newPod(job, template, undefined, undefined, takenNames));
    return { creations, deletions: [] };
  }
  const { awaitingReplacement } = progress.indexes;
  const indexes = pendingIndexes(job, progress, count);
  const waits = indexes.map((index) => untilIndexRetry(awaitingReplacement.get(index), now));
  const ready = indexes.filter((_, i) => waits[i] === 0);
  const creations = ready.map((index) =>
    newPod(job, template, index, failuresBefore(job, awaitingReplacement.get(index)), takenNames),
  );
  const later = waits.filter((ms) => ms > 0);
  return { creations, deletions: [], ...(later.length > 0 && { requeueAfterMs: Math.min(...later) }) };
}

/** The lowest indexes without a pod and without a result. */
function pendingIndexes(job: Readonly<Job>, progress: JobProgress, count: number): number[] {
  const { active, terminating, indexes } = progress;
  const busy = [...active, ...(replacesOnlyFailed(job) ? terminating : [])];
  const taken = rangesOf(busy.flatMap((pod) => completionIndexOf(pod) ?? []));
  const settled = unionOf(indexes?.succeeded ?? [], indexes?.failed ?? [], taken);
  return firstMissing(settled, count, job.spec?.completions ?? 0);
}

/** What the next pod of an index remembers; undefined without a limit for each index. */
function failuresBefore(
  job: Readonly<Job>,
  replaced: Readonly<Pod> | undefined,
): { readonly counted: number; readonly ignored: number } | undefined {
  if (job.spec?.backoffLimitPerIndex === undefined) return undefined;
  if (replaced === undefined) return { counted: 0, ignored: 0 };
  const { counted, ignored } = earlierFailuresOf(replaced);
  return responseTo(replaced, job).counts ? { counted: counted + 1, ignored } : { counted, ignored: ignored + 1 };
}
