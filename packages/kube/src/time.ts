/** Timestamps on the wire: `metav1.Time` has seconds, `metav1.MicroTime` six digits more, both in UTC. */
import { parseGoTime, type Instant } from './go-time.ts';
import { isDigit } from './names/characters.ts';

export const RFC3339 = '2006-01-02T15:04:05Z07:00';
export const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

/** Go's zero time, which stands for “not set” and is printed as null. */
const ZERO_EPOCH_SECONDS = -62_135_596_800;

const CANONICAL_LENGTH = '2026-01-02T03:04:05Z'.length;
const SEPARATORS = [4, 7, 10, 13, 16, 19].map((at) => ({ at, character: '2026-01-02T03:04:05Z'.charCodeAt(at) }));

/** Throws a TimeError with Go's sentence. */
export function parseTime(text: string): Instant {
  return parseGoTime(text, RFC3339);
}

/** Throws a TimeError with Go's sentence: unlike other times, these must have their six digits. */
export function parseMicroTime(text: string): Instant {
  return parseGoTime(text, RFC3339_MICRO);
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

/** The time as Kubernetes prints it after reading; null for the zero time. Throws a TimeError. */
export function canonicalTime(text: string): string | null {
  if (isCanonical(text)) return text;
  const time = parseTime(text);
  return isZero(time) ? null : formatTime(time);
}

export function canonicalMicroTime(text: string): string | null {
  const time = parseMicroTime(text);
  return isZero(time) ? null : formatMicroTime(time);
}

/**
 * Most times come as we print them, and need no closer look: four digits that are not the zero time's year, and a day that
 * every month has.
 */
function isCanonical(text: string): boolean {
  return (
    text.length === CANONICAL_LENGTH &&
    SEPARATORS.every(({ at, character }) => text.charCodeAt(at) === character) &&
    isBetween(text, 0, 10, 99) &&
    isBetween(text, 2, 0, 99) &&
    isBetween(text, 5, 1, 12) &&
    isBetween(text, 8, 1, 28) &&
    isBetween(text, 11, 0, 23) &&
    isBetween(text, 14, 0, 59) &&
    isBetween(text, 17, 0, 59)
  );
}

/** Whether the two digits at a place say a number in this range. */
function isBetween(text: string, at: number, lowest: number, highest: number): boolean {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  if (!isDigit(tens) || !isDigit(ones)) return false;
  const value = (tens - 0x30) * 10 + ones - 0x30;
  return value >= lowest && value <= highest;
}

function isZero({ epochSeconds, nanoseconds }: Instant): boolean {
  return epochSeconds === ZERO_EPOCH_SECONDS && nanoseconds === 0;
}

function toSeconds(time: Date | Instant): string {
  const date = time instanceof Date ? time : new Date(time.epochSeconds * 1000);
  return date.toISOString().slice(0, CANONICAL_LENGTH - 1);
}
