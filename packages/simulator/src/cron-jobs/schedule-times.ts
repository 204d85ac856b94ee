/** When a CronJob should have started Jobs, and when it starts the next. All moments are in milliseconds. */
import type { CronSchedule } from '@flotilla/kube';
import type { CronJob } from '../kinds.ts';

/** So much after a scheduled time the controller looks, so that clocks that differ a little do not matter. */
const lookAfterMs = 100;

/** More missed times than this are reported. */
const maxMissed = 100;

export interface MissedTimes {
  /** Where the search began. */
  readonly since: number;
  /** The latest time that has come. */
  readonly latest: number | undefined;
  readonly missed: 'none' | 'few' | 'many';
}

/** The error of a schedule that has no times, or too close ones. */
export class InvalidScheduleError extends Error {}

/** Which times have come since the last start, or since the creation. Before the starting deadline, they do not count. */
export function missedTimes(
  { metadata, spec, status }: Readonly<CronJob>,
  schedule: CronSchedule,
  now: number,
  countsDeadline: boolean,
): MissedTimes {
  const last = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  // A deadline is an int64 and may be a bigint.
  const deadline = spec?.startingDeadlineSeconds as number | bigint | undefined;
  const earliest = deadline === undefined || !countsDeadline ? -Infinity : now - Number(deadline) * 1000;
  const since = Math.max(Number.isNaN(last) ? now : last, earliest);
  const first = schedule.next(since);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first !== undefined && now < first) return { since, latest: undefined, missed: 'none' };
  if (first !== undefined && second !== undefined && now < second) return { since, latest: first, missed: 'none' };
  const gap = first === undefined || second === undefined ? 0 : Math.round((second - first) / 1000) * 1000;
  if (first === undefined || gap < 1000) {
    throw new InvalidScheduleError('time difference between two schedules is less than 1 second');
  }
  const count = Math.floor((now - first) / gap) + 1;
  const latest = latestTime(schedule, first + (count - 2) * gap, now);
  return { since, latest, missed: count > maxMissed ? 'many' : 'few' };
}

/**
 * The latest time after `from` and not after `now`. A search by halves: schedules may have any number of times between, and each
 * costs.
 */
function latestTime(schedule: CronSchedule, from: number, now: number): number | undefined {
  const hasTimeAfter = (second: number): boolean => (schedule.next(second * 1000) ?? Infinity) <= now;
  let low = Math.floor(from / 1000);
  if (!hasTimeAfter(low)) return undefined;
  let high = Math.floor(now / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (hasTimeAfter(middle)) low = middle;
    else high = middle;
  }
  return schedule.next(low * 1000);
}

/** How long to wait for the next time. */
export function untilNextTime(cronJob: Readonly<CronJob>, schedule: CronSchedule, now: number): number {
  const next = schedule.next(startOfSearch(cronJob, schedule, now)) ?? Infinity;
  return Math.max(0, next + lookAfterMs - now);
}

function startOfSearch(cronJob: Readonly<CronJob>, schedule: CronSchedule, now: number): number {
  try {
    const { since, latest, missed } = missedTimes(cronJob, schedule, now, false);
    return latest ?? (missed === 'none' ? since : now);
  } catch (error) {
    if (error instanceof InvalidScheduleError) return now;
    throw error;
  }
}
