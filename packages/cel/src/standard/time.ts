import { declare, member, type FunctionDeclaration, type Overload } from '../library.ts';
import { types } from '../type.ts';
import { CelError, type CelDuration, type CelTimestamp, type Result } from '../value.ts';
import { splitNanos } from '../values/time-text.ts';
import { timeZone } from '../values/time-zone.ts';

const { duration, int, string, timestamp } = types;

/** A calendar or clock field. `date` is the local time as if it were UTC. */
type Field = (date: Date, nanosOfSecond: number) => number;

const clock = {
  hours: (date) => date.getUTCHours(),
  minutes: (date) => date.getUTCMinutes(),
  seconds: (date) => date.getUTCSeconds(),
  milliseconds: (_date, nanos) => Math.floor(nanos / 1e6),
} satisfies Record<string, Field>;

const nanosPerMinute = 60n * 1_000_000_000n;

export const time: readonly FunctionDeclaration[] = [
  declare('getFullYear', ...ofTimestamp('timestamp_to_year', (date) => date.getUTCFullYear())),
  declare('getMonth', ...ofTimestamp('timestamp_to_month', (date) => date.getUTCMonth())),
  declare('getDayOfYear', ...ofTimestamp('timestamp_to_day_of_year', dayOfYear)),
  declare('getDayOfMonth', ...ofTimestamp('timestamp_to_day_of_month', (date) => date.getUTCDate() - 1)),
  declare('getDate', ...ofTimestamp('timestamp_to_day_of_month_1_based', (date) => date.getUTCDate())),
  declare('getDayOfWeek', ...ofTimestamp('timestamp_to_day_of_week', (date) => date.getUTCDay())),
  declare(
    'getHours',
    ...ofTimestamp('timestamp_to_hours', clock.hours),
    ofDuration('duration_to_hours', 60n * nanosPerMinute),
  ),
  declare(
    'getMinutes',
    ...ofTimestamp('timestamp_to_minutes', clock.minutes),
    ofDuration('duration_to_minutes', nanosPerMinute),
  ),
  declare(
    'getSeconds',
    ...ofTimestamp('timestamp_to_seconds', clock.seconds, 'timestamp_to_seconds_tz'),
    ofDuration('duration_to_seconds', 1_000_000_000n),
  ),
  declare(
    'getMilliseconds',
    ...ofTimestamp('timestamp_to_milliseconds', clock.milliseconds),
    ofDuration('duration_to_milliseconds', 1_000_000n),
  ),
];

/** One overload in UTC, and one with a time zone. */
function ofTimestamp(id: string, field: Field, zonedId = `${id}_with_tz`): Overload[] {
  return [
    member(id, [timestamp], int, (value: CelTimestamp) => read(value, '', field)),
    member(zonedId, [timestamp, string], int, (value: CelTimestamp, zone: string) => read(value, zone, field)),
  ];
}

/** The whole duration in the unit, not a component of it. */
function ofDuration(id: string, unit: bigint): Overload {
  return member(id, [duration], int, (value: CelDuration) => value.nanos / unit);
}

function read({ nanos }: CelTimestamp, zoneName: string, field: Field): Result {
  const zone = timeZone(zoneName);
  if (zone instanceof CelError) return zone;
  const { millis, nanosOfSecond } = splitNanos(nanos);
  return BigInt(field(new Date(millis + zone(millis)), nanosOfSecond));
}

function dayOfYear(date: Date): number {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  return Math.round((date.getTime() - start.getTime()) / 86_400_000);
}
