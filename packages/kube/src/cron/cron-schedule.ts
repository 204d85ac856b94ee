/** Cron schedules as Kubernetes reads them: five fields, or a descriptor such as `@daily`. */
import { quote } from '../go/format.ts';
import { parseGoDuration } from '../scalars/duration.ts';
import { momentOf, timeZoneProblem, zoneOffset, type ZoneOffset } from './time-zone.ts';

export interface CronSchedule {
  /** The first time after this moment, both in milliseconds. Undefined if there is none within five years. */
  next(moment: number): number | undefined;
}

interface FieldBounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** The values of a field. */
interface FieldValues {
  readonly values: ReadonlySet<number>;
  /** Whether it does not restrict the day: `*`, or a list with it. */
  readonly isAny: boolean;
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fieldBounds: readonly FieldBounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: monthNames },
  { min: 0, max: 6, names: weekdayNames },
];

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const every = '@every ';

/** Undefined if the schedule is valid. */
export function cronScheduleProblem(schedule: string): string | undefined {
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof CronScheduleError) return error.message;
    throw error;
  }
}

/** What is wrong with a schedule, in Go's words. */
export class CronScheduleError extends Error {}

/** A schedule may name its zone: `TZ=Europe/Paris 0 3 * * *`. Throws a CronScheduleError. */
export function parseCronSchedule(schedule: string): CronSchedule {
  if (!/^(?:CRON_)?TZ=/.test(schedule)) return parseInZone(schedule, zoneOffset(''));
  const space = schedule.indexOf(' ');
  if (space === -1) {
    throw new CronScheduleError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  }
  const zone = schedule.slice(schedule.indexOf('=') + 1, space);
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) throw new CronScheduleError(`provided bad location ${zone}: ${problem}`);
  return parseInZone(schedule.slice(space).trim(), zoneOffset(zone));
}

function parseInZone(schedule: string, offset: ZoneOffset): CronSchedule {
  if (schedule.startsWith(every)) return parseEvery(schedule);
  const standard = schedule.startsWith('@') ? descriptors.get(schedule) : schedule;
  if (standard === undefined) throw new CronScheduleError(`unrecognized descriptor: ${schedule}`);
  const fields = standard.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== fieldBounds.length) {
    const found = `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
    throw new CronScheduleError(found);
  }
  const [minutes, hours, days, months, weekdays] = fieldBounds.map((bounds, i) => parseField(fields[i] ?? '', bounds));
  // Narrows the types: there are five fields.
  if (!minutes || !hours || !days || !months || !weekdays) throw new CronScheduleError('missing field');
  return new FieldSchedule({ minutes, hours, days, months, weekdays }, offset);
}

/** A delay of whole seconds, at least one. */
function parseEvery(descriptor: string): CronSchedule {
  try {
    const seconds = Number(parseGoDuration(descriptor.slice(every.length)) / 1_000_000_000n);
    const delay = Math.max(1, seconds) * 1000;
    return { next: (moment) => Math.floor(moment / 1000) * 1000 + delay };
  } catch (error) {
    throw new CronScheduleError(`failed to parse duration ${descriptor}: ${(error as Error).message}`);
  }
}

function parseField(field: string, bounds: FieldBounds): FieldValues {
  const values = new Set<number>();
  let isAny = false;
  for (const range of field.split(',')) {
    if (range === '') continue;
    const { start, end, step, isAll } = parseRange(range, bounds);
    for (let value = start; value <= end; value += step) values.add(value);
    isAny ||= isAll;
  }
  return { values, isAny };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isAll: boolean;
}

/** `5`, `1-5`, `mon-fri`, `*`, and any of these with a step: `1-30/5`. */
function parseRange(range: string, { min, max, names = [] }: FieldBounds): Range {
  const [span = '', step, ...slashes] = range.split('/');
  const [low = '', high, ...hyphens] = span.split('-');
  const isAll = low === '*' || low === '?';
  const start = isAll ? min : numberOf(low, names, min);
  if (!isAll && hyphens.length > 0) throw new CronScheduleError(`too many hyphens: ${range}`);
  const last = isAll ? max : numberOf(high ?? low, names, min);
  if (slashes.length > 0) throw new CronScheduleError(`too many slashes: ${range}`);
  const stride = step === undefined ? 1 : numberOf(step, [], 0);
  // A single number with a step ranges from there to the maximum.
  const end = step !== undefined && high === undefined ? max : last;
  if (start < min) throw new CronScheduleError(`beginning of range (${start}) below minimum (${min}): ${range}`);
  if (end > max) throw new CronScheduleError(`end of range (${end}) above maximum (${max}): ${range}`);
  if (start > end) {
    throw new CronScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${range}`);
  }
  if (stride === 0) throw new CronScheduleError(`step of range should be a positive number: ${range}`);
  return { start, end, step: stride, isAll: isAll && stride === 1 };
}

const maxInt64 = 2n ** 63n - 1n;

/** Names count from the minimum of their field. */
function numberOf(text: string, names: readonly string[], firstName: number): number {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return index + firstName;
  const failure = `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}:`;
  if (!/^[+-]?\d+$/.test(text)) throw new CronScheduleError(`${failure} invalid syntax`);
  const digits = text.replace(/^[+-]?0*/, '');
  const value =
    digits.length > 19 ? maxInt64 + 1n : BigInt(digits === '' ? '0' : digits) * (text.startsWith('-') ? -1n : 1n);
  if (value > maxInt64 || value < -maxInt64 - 1n) throw new CronScheduleError(`${failure} value out of range`);
  if (value < 0n) throw new CronScheduleError(`negative number (${value}) not allowed: ${text}`);
  return Number(value);
}

interface Fields {
  readonly minutes: FieldValues;
  readonly hours: FieldValues;
  readonly days: FieldValues;
  readonly months: FieldValues;
  readonly weekdays: FieldValues;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

class FieldSchedule implements CronSchedule {
  readonly #fields: Fields;
  readonly #offset: ZoneOffset;

  constructor(fields: Fields, offset: ZoneOffset) {
    this.#fields = fields;
    this.#offset = offset;
  }

  /** Advances by the largest unit that does not match: month, day, hour, minute. */
  next(moment: number): number | undefined {
    const { months, hours, minutes } = this.#fields;
    // Times are full minutes.
    let time = Math.floor(moment / 1000) * 1000 + 1000;
    if (time % minuteMs !== 0) time = Math.floor(time / minuteMs) * minuteMs + minuteMs;
    const lastYear = this.#local(moment).getUTCFullYear() + 5;
    for (;;) {
      const local = this.#local(time);
      const year = local.getUTCFullYear();
      if (Number.isNaN(year) || year > lastYear) return undefined;
      if (!months.values.has(local.getUTCMonth() + 1)) {
        time = this.#startOf(year, local.getUTCMonth() + 1, 1, time);
      } else if (!this.#isDay(local)) {
        time = this.#startOf(year, local.getUTCMonth(), local.getUTCDate() + 1, time);
      } else if (!hours.values.has(local.getUTCHours())) {
        time += hourMs - (local.getTime() % hourMs);
      } else if (!minutes.values.has(local.getUTCMinutes())) {
        time += minuteMs;
      } else return time;
    }
  }

  /** A date whose UTC fields are the local ones. */
  #local(moment: number): Date {
    return new Date(moment + this.#offset(moment));
  }

  /** If the clock skips midnight, the day starts when it goes on. Some zones skipped a day: then the time still advances. */
  #startOf(year: number, month: number, day: number, before: number): number {
    const time = momentOf(Date.UTC(year, month, day), this.#offset);
    const hour = this.#local(time).getUTCHours();
    return Math.max(hour > 12 ? time + (24 - hour) * hourMs : time, before + minuteMs);
  }

  /** Any of day and weekday is enough if both are restricted. */
  #isDay(local: Date): boolean {
    const { days, weekdays } = this.#fields;
    const isDay = days.values.has(local.getUTCDate());
    const isWeekday = weekdays.values.has(local.getUTCDay());
    return days.isAny || weekdays.isAny ? isDay && isWeekday : isDay || isWeekday;
  }
}
