/** Prints and parses doubles as Go does. */
import { countReading } from './work.ts';

/** `%f` with the shortest digits. */
export function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponent = '0'] = text.split('e');
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const padded = point > 0 ? digits.padEnd(point, '0') : `${'0'.repeat(1 - point)}${digits}`;
  const at = Math.max(point, 1);
  const rest = padded.slice(at);
  return `${isNegative ? '-' : ''}${padded.slice(0, at)}${rest === '' ? '' : `.${rest}`}`;
}

const decimalPattern = /^[+-]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?$/;
const hexadecimalPattern = /^([+-]?)0[xX]_?([\da-fA-F_]*)(?:\.([\da-fA-F_]*))?[pP]([+-]?\d+)$/;
const loneUnderscorePattern = /(?:^|[^\da-fA-F_xX])_|__|_(?:$|[^\da-fA-F])/;
const infinitePattern = /^([+-]?)(?:inf|infinity)$/i;

/** `strconv.ParseFloat`; undefined if the text is invalid or out of range. */
export function parseDouble(text: string): number | undefined {
  countReading(text.length);
  const infinite = infinitePattern.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  if (loneUnderscorePattern.test(text)) return undefined;
  const value = decimalPattern.test(text) ? Number(text.replaceAll('_', '')) : parseHexadecimal(text);
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

function parseHexadecimal(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', exponent] = hexadecimalPattern.exec(text) ?? [];
  const digits = (whole + fraction).replaceAll('_', '');
  if (sign === undefined || digits === '') return undefined;
  const scale = Number(exponent) - 4 * fraction.replaceAll('_', '').length;
  const value = Number(BigInt(`0x${digits}`)) * 2 ** scale;
  return sign === '-' ? -value : value;
}

/** Decimal digits of doubles, rounded exactly and half to even, as in Go. */

/** `%.2f`. The value must be finite. */
export function fixedDecimal(value: number, decimals: number): string {
  // A double has at most this many decimals. The rest are zeros.
  const exact = Math.min(decimals, 1074);
  const digits = timesPowerOfTen(Math.abs(value), exact)
    .toString()
    .padStart(exact + 1, '0');
  const whole = digits.slice(0, digits.length - exact);
  const fraction = digits.slice(digits.length - exact).padEnd(decimals, '0');
  return `${isNegative(value) ? '-' : ''}${whole}${decimals === 0 ? '' : `.${fraction}`}`;
}

interface Scientific {
  /** One digit before the point. */
  readonly mantissa: string;
  readonly exponent: number;
}

/** `%.6e`. The value must be finite. */
export function scientificDecimal(value: number, decimals: number): Scientific {
  const sign = isNegative(value) ? '-' : '';
  if (value === 0) return { mantissa: `${sign}0.${'0'.repeat(decimals)}`, exponent: 0 };
  const exponent = Number(value.toExponential().split('e')[1]);
  const digits = timesPowerOfTen(Math.abs(value), decimals - exponent).toString();
  // 9.9999999 becomes 10.
  const carried = digits.length - decimals - 1;
  const fraction = digits.slice(1, decimals + 1);
  return { mantissa: `${sign}${digits.charAt(0)}.${fraction}`, exponent: exponent + carried };
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

/** Rounded to a whole number. */
function timesPowerOfTen(value: number, power: number): bigint {
  const { mantissa, exponent } = binaryParts(value);
  const numerator = mantissa * 2n ** BigInt(Math.max(exponent, 0)) * 10n ** BigInt(Math.max(power, 0));
  const denominator = 2n ** BigInt(Math.max(-exponent, 0)) * 10n ** BigInt(Math.max(-power, 0));
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const roundsUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return roundsUp ? quotient + 1n : quotient;
}

/** `mantissa * 2 ** exponent`. */
function binaryParts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10_0000_0000_0000n, exponent: biased - 1075 };
}
