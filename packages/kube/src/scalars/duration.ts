import { quote } from '../go/format.ts';

/** Durations in Go's notation (`1h30m`, `2.5s`), in nanoseconds. */
type Nanoseconds = bigint;

const nanosByUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const longestDuration = 2n ** 63n;

/** One number and its unit. The pattern is sticky, so that it matches one piece after another. */
const piecePattern = /(\d*)(?:(\.)(\d*))?([^\d.]*)/y;

/** Throws an Error with Go's message if the text is not a duration. */
export function parseGoDuration(text: string): Nanoseconds {
  const isNegative = text.startsWith('-');
  const rest = isNegative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw new Error(`time: invalid duration ${quote(text)}`);
  const total = sumOfPieces(rest, text);
  if (total > longestDuration || (total === longestDuration && !isNegative))
    throw new Error(`time: invalid duration ${quote(text)}`);
  return isNegative ? -total : total;
}

/** `1h30m0s`, `2.5s`, `1.5ms`, `0s`. */
export function formatGoDuration(duration: Nanoseconds): string {
  if (duration === 0n) return '0s';
  const sign = duration < 0n ? '-' : '';
  const size = duration < 0n ? -duration : duration;
  return sign + (size < 1_000_000_000n ? belowSecond(size) : fromSeconds(size));
}

function sumOfPieces(rest: string, whole: string): bigint {
  let total = 0n;
  for (let at = 0; at < rest.length; at = piecePattern.lastIndex) {
    piecePattern.lastIndex = at;
    const [, digits = '', , fraction = '', unit = ''] = piecePattern.exec(rest) ?? [];
    if (digits === '' && fraction === '') throw new Error(`time: invalid duration ${quote(whole)}`);
    total += pieceIn(digits, fraction, unit, whole);
    if (total > longestDuration) throw new Error(`time: invalid duration ${quote(whole)}`);
  }
  return total;
}

function pieceIn(digits: string, fraction: string, unit: string, whole: string): bigint {
  if (unit === '') throw new Error(`time: missing unit in duration ${quote(whole)}`);
  const size = Object.hasOwn(nanosByUnit, unit) ? nanosByUnit[unit] : undefined;
  if (size === undefined) throw new Error(`time: unknown unit ${quote(unit)} in duration ${quote(whole)}`);
  // More digits overflow an int64 anyway. The limit keeps the arithmetic small.
  if (digits.replace(/^0+/, '').length > 19) throw new Error(`time: invalid duration ${quote(whole)}`);
  const kept = fraction.slice(0, 18);
  const part = kept === '' ? 0n : (BigInt(kept) * size) / 10n ** BigInt(kept.length);
  return BigInt(digits === '' ? '0' : digits) * size + part;
}

function belowSecond(size: bigint): string {
  if (size < 1_000n) return `${size}ns`;
  return size < 1_000_000n ? `${decimal(size, 3)}\u00b5s` : `${decimal(size, 6)}ms`;
}

function fromSeconds(size: bigint): string {
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${minutes}m${seconds}` : `${hours}h${minutes % 60n}m${seconds}`;
}

/** `size` divided by a power of ten, without trailing zeros. */
function decimal(size: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  let fraction = (size % scale).toString().padStart(digits, '0');
  while (fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  return fraction === '' ? `${size / scale}` : `${size / scale}.${fraction}`;
}

/** Ages as `kubectl get` prints them, with fewer units for longer ages. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** The future is `<invalid>`, or `0s` within a second: clocks differ a little. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < 0) return seconds < -1 ? '<invalid>' : '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, minute, 'm', 1, 's');
  if (seconds < 3 * hour) return `${whole(seconds, minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, hour, 'h', minute, 'm');
  if (seconds < 2 * day) return `${whole(seconds, hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, day, 'd', hour, 'h');
  if (seconds < 2 * year) return `${whole(seconds, day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, year, 'y', day, 'd');
  return `${whole(seconds, year)}y`;
}

function whole(seconds: number, unit: number): number {
  return Math.floor(seconds / unit);
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = whole(seconds % large, small);
  return `${whole(seconds, large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}
