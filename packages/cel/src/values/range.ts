/** The ranges of int, uint and timestamp, and results that stay within them. */
import { CelDuration, CelTimestamp, CelUint, type Result } from '../value.ts';
import { intOverflow, timestampOverflow, uintOverflow } from './errors.ts';

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

export const NANOS_PER_SECOND = 1_000_000_000n;
const MIN_TIMESTAMP = -62135596800n * NANOS_PER_SECOND;
const MAX_TIMESTAMP = 253402300800n * NANOS_PER_SECOND - 1n;

export function isInt(value: bigint): boolean {
  return value >= MIN_INT && value <= MAX_INT;
}

export function isUint(value: bigint): boolean {
  return value >= 0n && value <= MAX_UINT;
}

export function int(value: bigint): Result {
  return isInt(value) ? value : intOverflow;
}

export function uint(value: bigint): Result {
  return isUint(value) ? new CelUint(value) : uintOverflow;
}

/** Durations are nanoseconds in an int, and overflow like one. */
export function duration(nanos: bigint): Result {
  return isInt(nanos) ? new CelDuration(nanos) : intOverflow;
}

/** From the year 1 to the end of 9999. */
export function timestamp(nanos: bigint, offsetMinutes = 0): Result {
  return nanos >= MIN_TIMESTAMP && nanos <= MAX_TIMESTAMP ? new CelTimestamp(nanos, offsetMinutes) : timestampOverflow;
}
