/** Timestamps and durations as text. */
import { parseGoDuration, parseGoTime } from '@flotilla/kube';
import { CelDuration, type CelTimestamp, type Result } from '../value.ts';
import { plainDecimal } from './double-text.ts';
import { conversionError } from './errors.ts';
import { nanosPerSecond, timestamp } from './range.ts';

/** Longer texts are no dates, and Go's sentence does not quote them. */
const maxLength = 1_000;

export function parseTimestamp(text: string): Result {
  try {
    if (text.length > maxLength) throw new Error('too long');
    const { epochSeconds, nanoseconds } = parseGoTime(text, '2006-01-02T15:04:05Z07:00');
    return timestamp(BigInt(epochSeconds) * nanosPerSecond + BigInt(nanoseconds), offsetMinutesOf(text));
  } catch {
    return conversionError('string', 'google.protobuf.Timestamp');
  }
}

export function parseDuration(text: string): Result {
  try {
    if (text.length > maxLength) throw new Error('too long');
    return new CelDuration(parseGoDuration(text));
  } catch {
    return conversionError('string', 'google.protobuf.Duration');
  }
}

/** 0 for a time that ends in `Z`. */
function offsetMinutesOf(time: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(time) ?? [];
  const offset = sign === undefined ? 0 : Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}

/** RFC 3339 in the zone it was written in, with as many decimals as it takes. */
export function timestampText({ nanos, offsetMinutes }: CelTimestamp): string {
  const { millis, nanosOfSecond } = splitNanos(nanos);
  const seconds = new Date(millis + offsetMinutes * 60_000).toISOString().slice(0, -5);
  const decimals = nanosOfSecond
    .toString()
    .padStart(9, '0')
    .replace(/0{1,9}$/, '');
  return `${seconds}${decimals === '' ? '' : `.${decimals}`}${zoneText(offsetMinutes)}`;
}

function zoneText(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'Z';
  const size = Math.abs(offsetMinutes);
  const twoDigits = (part: number) => Math.trunc(part).toString().padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${twoDigits(size / 60)}:${twoDigits(size % 60)}`;
}

/** Seconds, as a decimal number. */
export function durationText(duration: CelDuration): string {
  return `${plainDecimal(secondsOf(duration))}s`;
}

/** As Go does it: the whole seconds exactly, then what is left. */
export function secondsOf({ nanos }: CelDuration): number {
  return Number(nanos / nanosPerSecond) + Number(nanos % nanosPerSecond) / 1e9;
}

/** Whole seconds as JavaScript's milliseconds, and what is left, which is never negative. */
export function splitNanos(nanos: bigint): { readonly millis: number; readonly nanosOfSecond: number } {
  const left = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return { millis: Number((nanos - left) / 1_000_000n), nanosOfSecond: Number(left) };
}
