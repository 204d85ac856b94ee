/** Timestamps on the wire: `metav1.Time` has seconds, `metav1.MicroTime` microseconds, both in UTC. */
import { parseGoTime, type Instant } from '../go/time.ts';
import { isDigit } from '../names/characters.ts';

const rfc3339 = '2006-01-02T15:04:05Z07:00';
const rfc3339Micro = '2006-01-02T15:04:05.000000Z07:00';

/** Go's zero time, which means unset and is printed as null. */
const zeroEpochSeconds = -62_135_596_800;

const lengthToSeconds = '2006-01-02T15:04:05'.length;
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Throws a TimeError with Go's message. */
export function parseTime(text: string): Instant {
  return plainTime(text) ?? parseGoTime(text, rfc3339);
}

/** Throws a TimeError with Go's message. Unlike `parseTime`, requires six decimals. */
export function parseMicroTime(text: string): Instant {
  return plainMicroTime(text) ?? parseGoTime(text, rfc3339Micro);
}

/** `2026-01-02T03:04:05Z` */
export function formatTime(time: Date | Instant): string {
  return `${toSeconds(time)}Z`;
}

/** `2026-01-02T03:04:05.000000Z` */
export function formatMicroTime(time: Date | Instant): string {
  const nanoseconds = time instanceof Date ? time.getUTCMilliseconds() * 1_000_000 : time.nanoseconds;
  const digits = Math.trunc(nanoseconds / 1000).toString();
  return `${toSeconds(time)}.${digits.padStart(6, '0')}Z`;
}

/** The time as Kubernetes prints it after parsing; null for the zero time. Throws a TimeError. */
export function canonicalTime(text: string): string | null {
  if (plainTime(text) !== undefined) return text;
  const time = parseGoTime(text, rfc3339);
  return isZeroTime(time) ? null : formatTime(time);
}

export function canonicalMicroTime(text: string): string | null {
  if (plainMicroTime(text) !== undefined) return text;
  const time = parseGoTime(text, rfc3339Micro);
  return isZeroTime(time) ? null : formatMicroTime(time);
}

export function isZeroTime({ epochSeconds, nanoseconds }: Instant): boolean {
  return epochSeconds === zeroEpochSeconds && nanoseconds === 0;
}

/** Fast path for times that servers print. Returns undefined for all other texts. */
function plainTime(text: string): Instant | undefined {
  if (text.length !== lengthToSeconds + 1 || text[lengthToSeconds] !== 'Z') return undefined;
  const epochSeconds = plainSeconds(text);
  return epochSeconds === undefined ? undefined : { epochSeconds, nanoseconds: 0 };
}

function plainMicroTime(text: string): Instant | undefined {
  if (text.length !== lengthToSeconds + 8 || text[lengthToSeconds] !== '.' || !text.endsWith('Z')) return undefined;
  const epochSeconds = plainSeconds(text);
  const micros = twoDigits(text, 20) * 10_000 + twoDigits(text, 22) * 100 + twoDigits(text, 24);
  return epochSeconds === undefined || Number.isNaN(micros) ? undefined : { epochSeconds, nanoseconds: micros * 1000 };
}

/** Parses `2006-01-02T15:04:05` at the start of the text. */
function plainSeconds(text: string): number | undefined {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  const isDate = text[4] === '-' && text[7] === '-' && year >= 100 && day >= 1 && day <= daysIn(month, year);
  const isTime = text[10] === 'T' && text[13] === ':' && text[16] === ':' && hour < 24 && minute < 60 && second < 60;
  return isDate && isTime ? Date.UTC(year, month - 1, day, hour, minute, second) / 1000 : undefined;
}

/** Returns NaN, which fails every comparison, if these are no digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - 0x30) * 10 + ones - 0x30 : Number.NaN;
}

/** Zero for an invalid month. */
function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return daysOfMonth[month - 1] ?? 0;
}

/** Without the fraction. Prints years before 0 and after 9999 as Go does. */
function toSeconds(time: Date | Instant): string {
  const date = time instanceof Date ? time : new Date(time.epochSeconds * 1000);
  const text = date.toISOString().slice(0, -'.000Z'.length);
  return text.length === lengthToSeconds ? text : text.replace(/^\+0/, '').replace(/^-00/, '-');
}

let lastSecond = -1;
let lastText = '';

/** A time as objects carry it: RFC 3339 in UTC, with seconds. Caches the text of the current second. */
export function wireTime(time: Date): string {
  const second = Math.floor(time.getTime() / 1000);
  if (second !== lastSecond) {
    lastText = `${time.toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}
