/** Doubles as Go prints them, and as it reads them. */
import { readText } from './work.ts';

/** `%f` with as many digits as it takes. */
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

/** `strconv.ParseFloat`; undefined: it is none, or too large. */
export function parseDouble(text: string): number | undefined {
  readText(text.length);
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
