import { parseGoDuration } from '@flotilla/kube';

const SECOND = 1_000_000_000n;
const HOUR = 3600n * SECOND;

/** The last name of a unit may go on: `seconds`, `minutes`. */
const UNITS: readonly { readonly names: readonly string[]; readonly nanos: bigint }[] = [
  { names: ['ns', 'nano'], nanos: 1n },
  { names: ['us', '\u00b5s', 'micro'], nanos: 1000n },
  { names: ['ms', 'milli'], nanos: 1_000_000n },
  { names: ['s', 'sec'], nanos: SECOND },
  { names: ['m', 'min'], nanos: 60n * SECOND },
  { names: ['h', 'hr', 'hour'], nanos: HOUR },
  { names: ['d', 'day'], nanos: 24n * HOUR },
  { names: ['w', 'wk', 'week'], nanos: 168n * HOUR },
];

/** Only the first digit of a number begins a piece: to look again from each of them would take for ever. */
const PIECE = /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g;
const MAX_FACTOR = 2n ** 63n - 1n;
const MAX_FACTOR_DIGITS = 19;

/** Nanoseconds of Go's durations, or of looser ones like `22 ns` and `1 week 2 days`; undefined: neither. */
export function parseLooseDuration(text: string): bigint | undefined {
  try {
    return parseGoDuration(text);
  } catch {
    return sumOfPieces(text);
  }
}

function sumOfPieces(text: string): bigint | undefined {
  let sum: bigint | undefined;
  for (const [, digits = '', unit = ''] of text.matchAll(PIECE)) {
    const factor = factorOf(digits);
    if (factor === undefined) return undefined;
    for (const nanos of unitsNamed(unit.toLowerCase())) sum = (sum ?? 0n) + factor * nanos;
  }
  return sum === undefined ? undefined : BigInt.asIntN(64, sum);
}

function factorOf(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > MAX_FACTOR_DIGITS) return undefined;
  const factor = BigInt(significant);
  return factor > MAX_FACTOR ? undefined : factor;
}

function unitsNamed(unit: string): bigint[] {
  return UNITS.filter(({ names }) => names.includes(unit) || unit.startsWith(names.at(-1) ?? '')).map(
    ({ nanos }) => nanos,
  );
}
