/** Timestamps and durations as text. */
import { parseGoDuration, parseGoTime } from '@flotilla/kube';
import { CelDuration, type CelTimestamp, type Result } from '../value.ts';
import { plainDecimal } from './double-text.ts';
import { conversionError } from './errors.ts';
import { nanosPerSecond, timestamp } from './range.ts';

/** Longer texts are invalid, and Go's message does not quote them. */
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

/** RFC 3339 in the original zone, with the shortest decimals. */
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

/** Decimal seconds. */
export function durationText(duration: CelDuration): string {
  return `${plainDecimal(secondsOf(duration))}s`;
}

/** Adds whole seconds and the rest, as Go does. */
export function secondsOf({ nanos }: CelDuration): number {
  return Number(nanos / nanosPerSecond) + Number(nanos % nanosPerSecond) / 1e9;
}

/** Whole seconds in milliseconds, and the rest, which is never negative. */
export function splitNanos(nanos: bigint): { readonly millis: number; readonly nanosOfSecond: number } {
  const left = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return { millis: Number((nanos - left) / 1_000_000n), nanosOfSecond: Number(left) };
}
