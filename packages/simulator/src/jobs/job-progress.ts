/** How far a Job is: what its status has counted, and what its pods add to it. */
import type { Job, JobStatus, Pod } from '../kinds.ts';
import { isActive, isFinished, isTerminating } from '../pods/pod-state.ts';
import { responseTo } from './failure-policy.ts';
import { countIndexes, hasIndex, parseIndexes, rangesOf, unionOf, type IndexRanges } from './index-ranges.ts';
import { completionIndexOf, earlierFailuresOf, finishTimeOf, isFailed, isIndexed, isTracked } from './job-pod.ts';

export interface JobProgress {
  readonly pods: readonly Readonly<Pod>[];
  readonly active: readonly Readonly<Pod>[];
  readonly terminating: readonly Readonly<Pod>[];
  /** Pods that succeeded, or indexes. */
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes?: IndexProgress;
}

export interface IndexProgress {
  /** As the status has them. */
  readonly counted: IndexRanges;
  readonly succeeded: IndexRanges;
  /** With a limit of failures for each index: */
  readonly failed?: IndexRanges;
  /** The failed pods that wait for their successor, by index; they remember how often the index failed. */
  readonly awaitingReplacement: ReadonlyMap<number, Readonly<Pod>>;
}

export function progressOf(job: Readonly<Job>, unsorted: readonly Readonly<Pod>[]): JobProgress {
  const status = job.status ?? {};
  const pods = isIndexed(job) ? sortedByIndex(unsorted) : unsorted;
  const active = pods.filter(isActive);
  const terminating = pods.filter((pod) => isTerminating(pod) && !isFinished(pod));
  const uncounted = uncountedOf(status);
  const isNew = (pod: Readonly<Pod>, counted: ReadonlySet<string>): boolean =>
    isTracked(pod) && !counted.has(pod.metadata.uid ?? '') && hasValidIndex(pod, job);
  const newFailures = pods.filter(
    (pod) => isFailed(pod, job) && isNew(pod, uncounted.failed) && responseTo(pod, job).counts,
  );
  const failed = (status.failed ?? 0) + uncounted.failed.size + newFailures.length;
  if (isIndexed(job)) {
    const indexes = indexProgressOf(job, pods, active);
    return { pods, active, terminating, failed, succeeded: countIndexes(indexes.succeeded), indexes };
  }
  const newSuccesses = pods.filter((pod) => pod.status?.phase === 'Succeeded' && isNew(pod, uncounted.succeeded));
  const succeeded = (status.succeeded ?? 0) + uncounted.succeeded.size + newSuccesses.length;
  return { pods, active, terminating, succeeded, failed };
}

export function uncountedOf({ uncountedTerminatedPods }: JobStatus): {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
} {
  const { succeeded, failed } = uncountedTerminatedPods ?? {};
  return { succeeded: new Set(succeeded), failed: new Set(failed) };
}

/** Pods of indexes that do not exist count for nothing. */
export function hasValidIndex(pod: Readonly<Pod>, job: Readonly<Job>): boolean {
  return !isIndexed(job) || validIndexOf(pod, job) !== undefined;
}

export function validIndexOf(pod: Readonly<Pod>, { spec }: Readonly<Job>): number | undefined {
  const index = completionIndexOf(pod);
  return index !== undefined && index < (spec?.completions ?? 0) ? index : undefined;
}

function sortedByIndex(pods: readonly Readonly<Pod>[]): Readonly<Pod>[] {
  return pods.toSorted((a, b) => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1));
}

function indexProgressOf(
  job: Readonly<Job>,
  pods: readonly Readonly<Pod>[],
  active: readonly Readonly<Pod>[],
): IndexProgress {
  const { completions = 0, backoffLimitPerIndex } = job.spec ?? {};
  const { completedIndexes = '', failedIndexes = '' } = job.status ?? {};
  const tracked = pods.filter(isTracked);
  const indexesOf = (some: readonly Readonly<Pod>[]): IndexRanges =>
    rangesOf(some.flatMap((pod) => validIndexOf(pod, job) ?? []));
  const counted = parseIndexes(completedIndexes, completions);
  const succeeded = unionOf(counted, indexesOf(tracked.filter(({ status }) => status?.phase === 'Succeeded')));
  if (backoffLimitPerIndex === undefined) return { counted, succeeded, awaitingReplacement: new Map() };
  const failed = unionOf(
    parseIndexes(failedIndexes, completions),
    indexesOf(tracked.filter((pod) => failsIndex(pod, job, backoffLimitPerIndex))),
  );
  const settled = unionOf(succeeded, failed, indexesOf(active));
  return { counted, succeeded, failed, awaitingReplacement: awaitingReplacement(job, tracked, settled) };
}

function failsIndex(pod: Readonly<Pod>, job: Readonly<Job>, limit: number): boolean {
  if (!isFailed(pod, job)) return false;
  const { action, counts } = responseTo(pod, job);
  return action === 'FailIndex' || (counts && earlierFailuresOf(pod).counted >= limit);
}

function awaitingReplacement(
  job: Readonly<Job>,
  tracked: readonly Readonly<Pod>[],
  settled: IndexRanges,
): ReadonlyMap<number, Readonly<Pod>> {
  const latest = new Map<number, Readonly<Pod>>();
  for (const pod of tracked) {
    const index = validIndexOf(pod, job);
    if (index === undefined || !isFailed(pod, job) || hasIndex(settled, index)) continue;
    const other = latest.get(index);
    if (other === undefined || isLater(pod, other)) latest.set(index, pod);
  }
  return latest;
}

function isLater(pod: Readonly<Pod>, other: Readonly<Pod>): boolean {
  const failures = (one: Readonly<Pod>): number => earlierFailuresOf(one).counted + earlierFailuresOf(one).ignored;
  return failures(other) <= failures(pod) && finishTimeOf(other) <= finishTimeOf(pod);
}
