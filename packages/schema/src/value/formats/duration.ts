import { parseGoDuration } from '@flotilla/kube';

const secondNanos = 1_000_000_000n;
const hourNanos = 3600n * secondNanos;

/** The last name of a unit is a prefix: `seconds`, `minutes`. */
const units: readonly { readonly names: readonly string[]; readonly nanos: bigint }[] = [
  { names: ['ns', 'nano'], nanos: 1n },
  { names: ['us', '\u00b5s', 'micro'], nanos: 1000n },
  { names: ['ms', 'milli'], nanos: 1_000_000n },
  { names: ['s', 'sec'], nanos: secondNanos },
  { names: ['m', 'min'], nanos: 60n * secondNanos },
  { names: ['h', 'hr', 'hour'], nanos: hourNanos },
  { names: ['d', 'day'], nanos: 24n * hourNanos },
  { names: ['w', 'wk', 'week'], nanos: 168n * hourNanos },
];

/** A piece begins only at the first digit of a number: trying each digit would take quadratic time. */
const piecePattern = /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g;
const maxFactor = 2n ** 63n - 1n;
const maxFactorDigits = 19;

/** Nanoseconds of a Go duration, or of looser ones like `22 ns` and `1 week 2 days`. Undefined for anything else. */
export function parseLooseDuration(text: string): bigint | undefined {
  try {
    return parseGoDuration(text);
  } catch {
    return sumOfPieces(text);
  }
}

function sumOfPieces(text: string): bigint | undefined {
  let sum: bigint | undefined;
  for (const [, digits = '', unit = ''] of text.matchAll(piecePattern)) {
    const factor = factorOf(digits);
    if (factor === undefined) return undefined;
    for (const nanos of unitsNamed(unit.toLowerCase())) sum = (sum ?? 0n) + factor * nanos;
  }
  return sum === undefined ? undefined : BigInt.asIntN(64, sum);
}

function factorOf(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > maxFactorDigits) return undefined;
  const factor = BigInt(significant);
  return factor > maxFactor ? undefined : factor;
}

function unitsNamed(unit: string): bigint[] {
  return units
    .filter(({ names }) => names.includes(unit) || unit.startsWith(names.at(-1) ?? ''))
    .map(({ nanos }) => nanos);
}
