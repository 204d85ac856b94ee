/** Ranges of int, uint and timestamp, with overflow errors. */
import { CelDuration, CelTimestamp, CelUint, type Result } from '../value.ts';
import { intOverflow, timestampOverflow, uintOverflow } from './errors.ts';

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

export const nanosPerSecond = 1_000_000_000n;
const minTimestamp = -62135596800n * nanosPerSecond;
const maxTimestamp = 253402300800n * nanosPerSecond - 1n;

export function isInt(value: bigint): boolean {
  return value >= minInt && value <= maxInt;
}

export function isUint(value: bigint): boolean {
  return value >= 0n && value <= maxUint;
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
  return nanos >= minTimestamp && nanos <= maxTimestamp ? new CelTimestamp(nanos, offsetMinutes) : timestampOverflow;
}
