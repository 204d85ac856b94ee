/** Cron schedules as Kubernetes reads them: five fields, or a descriptor such as `@daily`. */
import { parseGoDuration, quote } from '@flotilla/kube';

interface FieldBounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fieldBounds: readonly FieldBounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: weekdays },
];

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const every = '@every ';

/** Undefined if the schedule is valid. */
export function cronScheduleProblem(schedule: string): string | undefined {
  if (!/^(?:CRON_)?TZ=/.test(schedule)) return problemWithoutZone(schedule);
  const space = schedule.indexOf(' ');
  if (space === -1) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
  const zone = schedule.slice(schedule.indexOf('=') + 1, space);
  const problem = timeZoneProblem(zone);
  return problem === undefined
    ? problemWithoutZone(schedule.slice(space).trim())
    : `provided bad location ${zone}: ${problem}`;
}

function problemWithoutZone(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return descriptorProblem(schedule);
  const fields = schedule.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== fieldBounds.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [i, bounds] of fieldBounds.entries()) {
    const problem = fieldProblem(fields[i] ?? '', bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function descriptorProblem(descriptor: string): string | undefined {
  if (descriptors.includes(descriptor)) return undefined;
  if (!descriptor.startsWith(every)) return `unrecognized descriptor: ${descriptor}`;
  try {
    parseGoDuration(descriptor.slice(every.length));
    return undefined;
  } catch (error) {
    return `failed to parse duration ${descriptor}: ${(error as Error).message}`;
  }
}

function fieldProblem(field: string, bounds: FieldBounds): string | undefined {
  for (const range of field.split(',')) {
    const problem = range === '' ? undefined : rangeProblem(range, bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `5`, `1-5`, `mon-fri`, `*`, and any of these with a step: `1-30/5`. */
function rangeProblem(range: string, { min, max, names = [] }: FieldBounds): string | undefined {
  const [span = '', step, ...slashes] = range.split('/');
  const [low = '', high, ...hyphens] = span.split('-');
  const isAll = low === '*' || low === '?';
  const start = isAll ? min : numberOf(low, names, min);
  if (typeof start === 'string') return start;
  if (!isAll && hyphens.length > 0) return `too many hyphens: ${range}`;
  const last = isAll ? max : numberOf(high ?? low, names, min);
  if (typeof last === 'string') return last;
  if (slashes.length > 0) return `too many slashes: ${range}`;
  const stride = step === undefined ? 1 : numberOf(step, [], 0);
  if (typeof stride === 'string') return stride;
  // A single number with a step ranges from there to the maximum.
  const end = step !== undefined && high === undefined ? max : last;
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return stride === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

const maxInt64 = 2n ** 63n - 1n;

/** The number, or a problem. Names count from the minimum of their field. */
function numberOf(text: string, names: readonly string[], firstName: number): number | string {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return index + firstName;
  const failure = `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}:`;
  if (!/^[+-]?\d+$/.test(text)) return `${failure} invalid syntax`;
  const digits = text.replace(/^[+-]?0*/, '');
  const value =
    digits.length > 19 ? maxInt64 + 1n : BigInt(digits === '' ? '0' : digits) * (text.startsWith('-') ? -1n : 1n);
  if (value > maxInt64 || value < -maxInt64 - 1n) return `${failure} value out of range`;
  return value < 0n ? `negative number (${value}) not allowed: ${text}` : Number(value);
}

/** Why a name is not that of a time zone, in Go's words. Names are case-sensitive, as files are. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return undefined;
  if (name.split('/').includes('..') || name.startsWith('/') || name.includes('\\'))
    return 'time: invalid location name';
  return isKnownZone(name) ? undefined : `unknown time zone ${name}`;
}

function isKnownZone(name: string): boolean {
  // The engine accepts offsets such as +01:00 as time zones, Go does not.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
