/** How long a Job waits before it replaces failed pods. */
import type { Job, Pod } from '../kinds.ts';
import { isControlledBy } from '../ownership/controller-of.ts';
import { earlierFailuresOf, finishTimeOf, isFailed, isTracked } from './job-pod.ts';

const firstBackoffMs = 10_000;
const maxBackoffMs = 600_000;

/** With more failures the back-off is not longer. */
const maxRemembered = 8;

/** The failures of a Job since its last success. */
export interface RecentFailures {
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly last: number;
}

interface JobHistory {
  readonly uid: string | undefined;
  /** When pods failed, by their uid. */
  readonly failures: Map<string, number>;
  lastSuccess: number;
}

/** Remembers failures, because the pods that failed may be gone before their successors start. */
export class FailureHistory {
  readonly #jobs = new Map<string, JobHistory>();

  forget(key: string): void {
    this.#jobs.delete(key);
  }

  /**
   * Call with all pods that the Job may control. A pod that is only being deleted has failed as long as it is tracked: the Job itself
   * deletes pods that are not.
   */
  observe(key: string, job: Readonly<Job>, pods: readonly Readonly<Pod>[]): RecentFailures {
    const history = this.#historyOf(key, job);
    const { failures } = history;
    for (const pod of pods) {
      if (!isControlledBy(pod, job)) continue;
      const { phase } = pod.status ?? {};
      if (phase === 'Succeeded') history.lastSuccess = Math.max(history.lastSuccess, finishTimeOf(pod));
      else if (phase === 'Failed' || (isTracked(pod) && isFailed(pod, job))) {
        const { uid = '' } = pod.metadata;
        if (!failures.has(uid)) failures.set(uid, finishTimeOf(pod));
      }
    }
    const recent = [...failures].filter(([, time]) => time > history.lastSuccess).sort(([, a], [, b]) => b - a);
    failures.clear();
    for (const [uid, time] of recent.slice(0, maxRemembered)) failures.set(uid, time);
    return { count: failures.size, last: recent[0]?.[1] ?? 0 };
  }

  #historyOf(key: string, { metadata }: Readonly<Job>): JobHistory {
    const known = this.#jobs.get(key);
    if (known !== undefined && known.uid === metadata.uid) return known;
    const history = { uid: metadata.uid, failures: new Map<string, number>(), lastSuccess: -Infinity };
    this.#jobs.set(key, history);
    return history;
  }
}

/** Milliseconds until a Job may create pods: its back-off doubles with each failure. */
export function untilRetry({ count, last }: RecentFailures, now: Date): number {
  if (count === 0) return 0;
  const backoff = Math.min(firstBackoffMs * 2 ** (count - 1), maxBackoffMs);
  return Math.max(0, last + backoff - now.getTime());
}

/** Milliseconds until the pod of an index may be replaced. */
export function untilIndexRetry(failed: Readonly<Pod> | undefined, now: Date): number {
  if (failed === undefined) return 0;
  const { counted, ignored } = earlierFailuresOf(failed);
  return untilRetry({ count: counted + ignored + 1, last: finishTimeOf(failed) }, now);
}
