import { nextGeneration, wireTime, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import type { DeletionBehavior } from '../../resources/resource.ts';

/** An int64, as a bigint where a double is not exact. */
type Seconds = number | bigint;

/** The deadline of a graceful deletion, and its length in seconds. */
export interface Grace {
  readonly period: Seconds;
  readonly until: Date;
}

/**
 * The grace period after a delete. `pending` if an earlier delete set a shorter one, and nothing changes. Undefined if the
 * kind has no grace period, or the object's is over.
 */
export function graceAfterDelete(
  { gracePeriod }: Pick<DeletionBehavior, 'gracePeriod'>,
  object: KubeObject,
  requested: Seconds | undefined,
  now: Date,
): Grace | 'pending' | undefined {
  if (!gracePeriod) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: given } = object.metadata;
  if (deletionTimestamp === undefined) {
    const period = gracePeriod(object, requested);
    return { period, until: addSeconds(now, period) };
  }
  if (!given) return undefined;
  const period = requested !== undefined && requested < 0 ? 1 : requested;
  if (period === undefined || period >= given) return 'pending';
  return shortened(addSeconds(addSeconds(new Date(deletionTimestamp), -given), period), period, now);
}

/** A deadline is never in the past. An overdue object gets one more second, unless the request asks for 0. */
function shortened(until: Date, period: Seconds, now: Date): Grace {
  if (until >= now) return { period, until };
  return { period: period ? 1 : 0, until: now };
}

/** More seconds overflow Go's int64 of nanoseconds, which wraps around. */
const maxSeconds = 9_223_372_036;

function addSeconds(time: Date, seconds: Seconds): Date {
  if (seconds <= maxSeconds && seconds >= -maxSeconds) return new Date(time.getTime() + Number(seconds) * 1000);
  const nanoseconds = BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n);
  return new Date(time.getTime() + Number(nanoseconds / 1_000_000n));
}

export function setGrace({ metadata }: KubeObject, { period, until }: Grace): void {
  incrementGenerationOnFirstDelete(metadata);
  metadata.deletionTimestamp = wireTime(until);
  metadata.deletionGracePeriodSeconds = period as number;
}

/** Marks an object that is removed as soon as its finalizers are removed. */
export function setNoGrace({ metadata }: KubeObject, now: Date): void {
  const text = wireTime(now);
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined && deletionTimestamp <= text) return;
  incrementGenerationOnFirstDelete(metadata);
  metadata.deletionTimestamp = text;
  metadata.deletionGracePeriodSeconds = 0;
}

function incrementGenerationOnFirstDelete(metadata: ObjectMeta): void {
  if (metadata.deletionTimestamp === undefined && (metadata.generation ?? 0) > 0) {
    metadata.generation = nextGeneration(metadata);
  }
}
