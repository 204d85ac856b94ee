/** How long a Job waits before it replaces failed pods. */
import type { Job, Pod } from '../kinds.ts';
import { earlierFailuresOf, finishTimeOf, isFailed, isTracked } from './job-pod.ts';

const firstBackoffMs = 10_000;
const maxBackoffMs = 600_000;

/**
 * Milliseconds until a Job may create pods: its back-off doubles with each failure since the last success. Failures are known by
 * their pods. A pod that is only being deleted is one until it has been counted: the Job itself deletes pods that it does not track.
 */
export function untilRetry(job: Readonly<Job>, pods: readonly Readonly<Pod>[], now: Date): number {
  const isFailure = (pod: Readonly<Pod>): boolean =>
    pod.status?.phase === 'Failed' || (isTracked(pod) && isFailed(pod, job));
  const lastSuccess = latest(pods.filter(({ status }) => status?.phase === 'Succeeded'));
  const failures = pods.filter((pod) => isFailure(pod) && finishTimeOf(pod) > lastSuccess);
  return remaining(failures.length, latest(failures), now);
}

/** Milliseconds until the pod of an index may be replaced. */
export function untilIndexRetry(failed: Readonly<Pod> | undefined, now: Date): number {
  if (failed === undefined) return 0;
  const { counted, ignored } = earlierFailuresOf(failed);
  return remaining(counted + ignored + 1, finishTimeOf(failed), now);
}

function latest(pods: readonly Readonly<Pod>[]): number {
  return pods.reduce((time, pod) => Math.max(time, finishTimeOf(pod)), -Infinity);
}

function remaining(failures: number, lastFailure: number, now: Date): number {
  if (failures === 0) return 0;
  const backoff = Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs);
  return Math.max(0, lastFailure + backoff - now.getTime());
}
