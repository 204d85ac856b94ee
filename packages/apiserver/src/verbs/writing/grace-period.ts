import { nextGeneration, wireTime, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import type { DeletionBehavior } from '../../resources/resource.ts';

/** An int64: exact where a double is not. */
type Seconds = number | bigint;

/** Until when an object may stay, and how many seconds that is after the delete. */
export interface Grace {
  readonly period: Seconds;
  readonly until: Date;
}

/**
 * The time that a delete gives an object. `pending`: an earlier delete gave it less, and nothing changes. Undefined: the
 * kind knows no grace, or the object has none left.
 */
export function graceAfterDelete(
  { gracePeriod }: Pick<DeletionBehavior, 'gracePeriod'>,
  object: KubeObject,
  asked: Seconds | undefined,
  now: Date,
): Grace | 'pending' | undefined {
  if (!gracePeriod) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: given } = object.metadata;
  if (deletionTimestamp === undefined) {
    const period = gracePeriod(object, asked);
    return { period, until: later(now, period) };
  }
  if (!given) return undefined;
  const period = asked !== undefined && asked < 0 ? 1 : asked;
  if (period === undefined || period >= given) return 'pending';
  return shortened(later(later(new Date(deletionTimestamp), -given), period), period, now);
}

/** A deadline is never set into the past; an object whose time is over is still given a second, unless none was asked for. */
function shortened(until: Date, period: Seconds, now: Date): Grace {
  if (until >= now) return { period, until };
  return { period: period ? 1 : 0, until: now };
}

/** More seconds than this overflow Go's count of nanoseconds, which then wraps around. */
const maxSeconds = 9_223_372_036;

function later(time: Date, seconds: Seconds): Date {
  if (seconds <= maxSeconds && seconds >= -maxSeconds) return new Date(time.getTime() + Number(seconds) * 1000);
  const nanoseconds = BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n);
  return new Date(time.getTime() + Number(nanoseconds / 1_000_000n));
}

export function setGrace({ metadata }: KubeObject, { period, until }: Grace): void {
  countFirstDelete(metadata);
  metadata.deletionTimestamp = wireTime(until);
  metadata.deletionGracePeriodSeconds = period as number;
}

/** Marks an object that goes as soon as its finalizers are done. */
export function setNoGrace({ metadata }: KubeObject, now: Date): void {
  const text = wireTime(now);
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined && deletionTimestamp <= text) return;
  countFirstDelete(metadata);
  metadata.deletionTimestamp = text;
  metadata.deletionGracePeriodSeconds = 0;
}

function countFirstDelete(metadata: ObjectMeta): void {
  if (metadata.deletionTimestamp === undefined && (metadata.generation ?? 0) > 0) {
    metadata.generation = nextGeneration(metadata);
  }
}
