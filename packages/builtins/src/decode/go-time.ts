/** RFC 3339 times as Go's time.Parse reads them, with its sentences. */
import { quote } from '@flotilla/kube';

export interface Instant {
  /** Since 1970. */
  readonly seconds: number;
  readonly nanos: number;
}

interface Layout {
  readonly text: string;
  /** Exactly so many digits after the point; undefined: any number, or none. */
  readonly fractionDigits?: number;
}

const SECONDS: Layout = { text: '2006-01-02T15:04:05Z07:00' };
const MICROSECONDS: Layout = { text: '2006-01-02T15:04:05.000000Z07:00', fractionDigits: 6 };

/** Go's zero time, which JSON writes as null. */
const ZERO_SECONDS = -62_135_596_800;

/** A metav1.Time in the one form that Go writes; null for the zero time. Throws an Error with Go's sentence. */
export function canonicalTime(text: string): string | null {
  const plain = plainSeconds(text);
  if (plain !== undefined) return plain === ZERO_SECONDS ? null : text;
  const instant = parse(text, SECONDS);
  return isZero(instant) ? null : formatTime(instant);
}

/** The same for a metav1.MicroTime. */
export function canonicalMicroTime(text: string): string | null {
  const instant = parse(text, MICROSECONDS);
  return isZero(instant) ? null : formatMicroTime(instant);
}

export function parseTime(text: string): Instant {
  const plain = plainSeconds(text);
  return plain === undefined ? parse(text, SECONDS) : { seconds: plain, nanos: 0 };
}

export function parseMicroTime(text: string): Instant {
  return parse(text, MICROSECONDS);
}

export function formatTime({ seconds }: Instant): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

export function formatMicroTime(instant: Instant): string {
  const micros = String(Math.floor(instant.nanos / 1000)).padStart(6, '0');
  return formatTime(instant).replace(/Z$/, `.${micros}Z`);
}

export function isZero({ seconds, nanos }: Instant): boolean {
  return seconds === ZERO_SECONDS && nanos === 0;
}

/** `2006-01-02T15:04:05Z` */
const SECONDS_LENGTH = 20;

/** Seconds since 1970 for the form that servers write themselves; undefined for all others, which are read with care. */
function plainSeconds(text: string): number | undefined {
  if (text.length !== SECONDS_LENGTH || text[SECONDS_LENGTH - 1] !== 'Z') return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const isDate =
    text[4] === '-' && text[7] === '-' && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year);
  const isTime = text[10] === 'T' && text[13] === ':' && text[16] === ':' && hour < 24 && minute < 60 && second < 60;
  return isDate && isTime ? utcSeconds(year, month, day) + hour * 3600 + minute * 60 + second : undefined;
}

/** NaN, which no comparison accepts, where these are no digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Where in the text the reading is. */
interface Cursor {
  readonly text: string;
  readonly layout: Layout;
  at: number;
}

function parse(text: string, layout: Layout): Instant {
  const cursor: Cursor = { text, layout, at: 0 };
  const year = digits(cursor, 4, '2006');
  literal(cursor, '-');
  const month = digits(cursor, 2, '01');
  if (month < 1 || month > 12) throw outOfRange(text, 'month');
  literal(cursor, '-');
  const day = digits(cursor, 2, '02');
  literal(cursor, 'T');
  const hour = digits(cursor, /^\d:/.test(text.slice(cursor.at)) ? 1 : 2, '15');
  if (hour > 23) throw outOfRange(text, 'hour');
  literal(cursor, ':');
  const minute = digits(cursor, 2, '04');
  if (minute > 59) throw outOfRange(text, 'minute');
  literal(cursor, ':');
  const second = digits(cursor, 2, '05');
  if (second > 59) throw outOfRange(text, 'second');
  const nanos = fraction(cursor);
  const offset = zoneOffset(cursor);
  if (cursor.at < text.length) {
    throw new Error(`parsing time ${quote(text)}: extra text: ${quote(text.slice(cursor.at))}`);
  }
  if (day < 1 || day > daysIn(month, year)) throw outOfRange(text, 'day');
  return { seconds: utcSeconds(year, month, day) + hour * 3600 + minute * 60 + second - offset, nanos };
}

function digits(cursor: Cursor, count: number, element: string): number {
  const text = cursor.text.slice(cursor.at, cursor.at + count);
  if (text.length < count || !/^\d+$/.test(text)) throw cannotParse(cursor, element);
  cursor.at += count;
  return Number(text);
}

function literal(cursor: Cursor, expected: string): void {
  if (cursor.text[cursor.at] !== expected) throw cannotParse(cursor, expected);
  cursor.at++;
}

function fraction(cursor: Cursor): number {
  const found = /^[.,](\d+)/.exec(cursor.text.slice(cursor.at));
  const wanted = cursor.layout.fractionDigits;
  if (wanted !== undefined) {
    if (found?.[1] === undefined || found[1].length < wanted) throw cannotParse(cursor, `.${'0'.repeat(wanted)}`);
    cursor.at += wanted + 1;
    return Number(found[1].slice(0, wanted).padEnd(9, '0'));
  }
  if (found?.[1] === undefined) return 0;
  cursor.at += found[0].length;
  return Number(found[1].slice(0, 9).padEnd(9, '0'));
}

/** Seconds east of UTC. */
function zoneOffset(cursor: Cursor): number {
  if (cursor.text[cursor.at] === 'Z') {
    cursor.at++;
    return 0;
  }
  const found = /^([+-])(\d\d):(\d\d)/.exec(cursor.text.slice(cursor.at));
  if (found === null) throw cannotParse(cursor, 'Z07:00');
  const [whole, sign, hours, minutes] = found;
  if (Number(hours) > 24) throw outOfRange(cursor.text, 'time zone offset hour');
  if (Number(minutes) > 60) throw outOfRange(cursor.text, 'time zone offset minute');
  cursor.at += whole.length;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

function utcSeconds(year: number, month: number, day: number): number {
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
}

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function cannotParse({ text, at, layout }: Cursor, element: string): Error {
  const rest = quote(text.slice(at));
  return new Error(`parsing time ${quote(text)} as ${quote(layout.text)}: cannot parse ${rest} as ${quote(element)}`);
}

function outOfRange(text: string, what: string): Error {
  return new Error(`parsing time ${quote(text)}: ${what} out of range`);
}
