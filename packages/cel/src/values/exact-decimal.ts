/** Decimal digits of doubles as Go rounds them: exactly, and to even where two are as near. */

/** `%.2f`; the value is finite. */
export function fixedDecimal(value: number, decimals: number): string {
  // A double has no more decimals than this; the rest are zeros.
  const exact = Math.min(decimals, 1074);
  const digits = timesPowerOfTen(Math.abs(value), exact)
    .toString()
    .padStart(exact + 1, '0');
  const whole = digits.slice(0, digits.length - exact);
  const fraction = digits.slice(digits.length - exact).padEnd(decimals, '0');
  return `${isNegative(value) ? '-' : ''}${whole}${decimals === 0 ? '' : `.${fraction}`}`;
}

export interface Scientific {
  /** One digit before the point. */
  readonly mantissa: string;
  readonly exponent: number;
}

/** `%.6e`; the value is finite. */
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
