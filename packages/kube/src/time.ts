/** Timestamps on the wire: `metav1.Time` has seconds, `metav1.MicroTime` six digits more, both in UTC. */
import { parseGoTime, type Instant } from './go-time.ts';

export const RFC3339 = '2006-01-02T15:04:05Z07:00';
export const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

/** Go's zero time, which stands for “not set” and is printed as null. */
const ZERO_EPOCH_SECONDS = -62_135_596_800;

const CANONICAL_LENGTH = '2026-01-02T03:04:05Z'.length;

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

/** Most times come as we print them: the engine reads those faster than we do. The zero time is left to the others. */
function isCanonical(text: string): boolean {
  if (text.length !== CANONICAL_LENGTH || !text.endsWith('Z') || text.startsWith('0')) return false;
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && formatTime(new Date(milliseconds)) === text;
}

function isZero({ epochSeconds, nanoseconds }: Instant): boolean {
  return epochSeconds === ZERO_EPOCH_SECONDS && nanoseconds === 0;
}

function toSeconds(time: Date | Instant): string {
  const date = time instanceof Date ? time : new Date(time.epochSeconds * 1000);
  return date.toISOString().slice(0, CANONICAL_LENGTH - 1);
}
