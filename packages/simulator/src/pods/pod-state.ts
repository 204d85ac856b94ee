/** What controllers ask about a pod. */
import type { Condition, Pod } from '../kinds.ts';

/** Whether its containers have ended, for good. */
export function isFinished({ status }: Readonly<Pod>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isTerminating({ metadata }: Readonly<Pod>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether it counts as a replica. */
export function isActive(pod: Readonly<Pod>): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

export function conditionOf({ status }: Readonly<Pod>, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isReady(pod: Readonly<Pod>): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True';
}

/** Milliseconds until the pod has been ready for so long; 0 if it has, undefined if it is not ready. */
export function untilAvailable(pod: Readonly<Pod>, minReadySeconds: number, now: Date): number | undefined {
  const ready = conditionOf(pod, 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds <= 0) return 0;
  const since = Date.parse(ready.lastTransitionTime ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, since + minReadySeconds * 1000 - now.getTime());
}

export function isAvailable(pod: Readonly<Pod>, minReadySeconds: number, now: Date): boolean {
  return untilAvailable(pod, minReadySeconds, now) === 0;
}
