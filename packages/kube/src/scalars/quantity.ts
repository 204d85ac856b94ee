/** `resource.Quantity`: exact amounts such as `500m` or `128Mi`, parsed, compared and printed as Kubernetes does. */
import { trimRight } from '../go/format.ts';
import { printSuffix, readSuffix, type QuantityFormat, type QuantitySuffix } from './quantity-suffix.ts';

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";
const noNumber = 'unable to parse numeric part of quantity';

/** Sign, leading zeros, whole part, fraction, suffix. Every part is optional, as in Go's parser. */
const partsPattern = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;

/** Parsing digits takes more than linear time, and no real quantity is this long. */
const maxLength = 10_000;

/** Kubernetes keeps nothing finer than a billionth. */
const finestExponent = -9;

const maxInt64 = 2n ** 63n - 1n;
const maxInt64Digits = 19;

/** Up to this many digits Go uses an int64. Only such amounts keep their original text. */
const maxQuickDigits = 18;
const maxQuickBinaryDigits = 14;

/** If amounts differ by more than this many digits, their sum is the larger one. */
const maxDigitsApart = 4096;

/** The text is not a quantity. The message is Go's. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

/** The fields of a parsed `resource.Quantity`. The amount is `unscaled` times ten to the power of `exponent`. */
export interface QuantityInGo {
  readonly unscaled: bigint;
  readonly exponent: number;
  /** Whether Go keeps it as a big decimal instead of an int64. */
  readonly isBig: boolean;
  /** The text that Go keeps to print it; empty if it has none. */
  readonly spelling: string;
  readonly format: QuantityFormat;
}

export class Quantity {
  static readonly zero = new Quantity(0n, 0, 'DecimalSI');

  /** The amount is `#unscaled` times ten to the power of `#exponent`. */
  readonly #unscaled: bigint;
  readonly #exponent: number;
  readonly #spelling: string | undefined;
  readonly format: QuantityFormat;

  constructor(unscaled: bigint, exponent: number, format: QuantityFormat, spelling?: string) {
    this.#unscaled = unscaled;
    this.#exponent = exponent;
    this.#spelling = spelling;
    this.format = format;
  }

  get sign(): -1 | 0 | 1 {
    if (this.#unscaled === 0n) return 0;
    return this.#unscaled < 0n ? -1 : 1;
  }

  /** The amount in whole units, rounded away from zero, within an int64. */
  value(): bigint {
    return this.#asInt64(0);
  }

  /** The amount in thousandths, rounded away from zero, within an int64. */
  milliValue(): bigint {
    return this.#asInt64(-3);
  }

  /**
   * The amount, if it is stored in whole units and fits an int64. `1.0` and `1000m` are stored in fractions, so they
   * return undefined.
   */
  toInt64(): bigint | undefined {
    if (this.#exponent < 0 || this.#magnitude() > maxInt64Digits) return undefined;
    const value = this.#withExponent(0);
    return value > maxInt64 || value < -maxInt64 - 1n ? undefined : value;
  }

  /** The nearest double, or infinity. */
  toNumber(): number {
    return Number(this.#unscaled) * 10 ** this.#exponent;
  }

  /** Whether the amount is a whole multiple of ten to the power of `exponent`. */
  isMultipleOf(exponent: number): boolean {
    return this.roundedUp(exponent).compare(this) === 0;
  }

  /** Rounds away from zero to a whole multiple of ten to the power of `exponent`. */
  roundedUp(exponent: number): Quantity {
    if (this.#exponent >= exponent) return this;
    return new Quantity(this.#scaledTo(exponent), exponent, this.format);
  }

  plus(other: Quantity): Quantity {
    const format = this.sign === 0 ? other.format : this.format;
    if (other.sign === 0) return new Quantity(this.#unscaled, this.#exponent, format);
    if (this.sign === 0) return new Quantity(other.#unscaled, other.#exponent, format);
    const apart = this.#exponent - other.#exponent;
    if (Math.abs(apart) > maxDigitsApart) {
      const larger = this.#magnitude() > other.#magnitude() ? this : other;
      return new Quantity(larger.#unscaled, larger.#exponent, format);
    }
    const exponent = Math.min(this.#exponent, other.#exponent);
    return new Quantity(this.#withExponent(exponent) + other.#withExponent(exponent), exponent, format);
  }

  as(format: QuantityFormat): Quantity {
    return new Quantity(this.#unscaled, this.#exponent, format);
  }

  negated(): Quantity {
    return new Quantity(-this.#unscaled, this.#exponent, this.format);
  }

  minus(other: Quantity): Quantity {
    return this.plus(other.negated());
  }

  /** Negative if this amount is less than the other. */
  compare(other: Quantity): number {
    if (this.sign !== other.sign || this.sign === 0) return this.sign - other.sign;
    const magnitudes = this.#magnitude() - other.#magnitude();
    if (magnitudes !== 0) return magnitudes * this.sign;
    const exponent = Math.min(this.#exponent, other.#exponent);
    const left = this.#withExponent(exponent);
    const right = other.#withExponent(exponent);
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  toString(): string {
    if (this.#spelling !== undefined) return this.#spelling;
    if (this.#unscaled === 0n) return '0';
    return this.#printsBinary() ? this.#binary() : this.#decimal();
  }

  toJSON(): string {
    return this.toString();
  }

  /** As Go's parser leaves it. `isBig` says which of its two forms the parser chose. */
  inGo(isBig: boolean): QuantityInGo {
    const exponent = isBig ? this.#bigExponent() : this.#exponent;
    const spelling = this.#spelling ?? '';
    return { unscaled: this.#withExponent(exponent), exponent, isBig, spelling, format: this.format };
  }

  /** Go rounds big amounts to billionths, but neither zero nor the largest binary amount. */
  #bigExponent(): number {
    const isLargest = this.format === 'BinarySI' && (this.#unscaled === maxInt64 || this.#unscaled === -maxInt64);
    const isFar = this.#exponent > maxDigitsApart;
    return this.#unscaled === 0n || isLargest || isFar ? this.#exponent : finestExponent;
  }

  /** The number of digits before the decimal point. */
  #magnitude(): number {
    return digitsOf(this.#unscaled) + this.#exponent;
  }

  /** `exponent` must not be above `#exponent`. */
  #withExponent(exponent: number): bigint {
    return this.#unscaled * 10n ** BigInt(this.#exponent - exponent);
  }

  #scaledTo(exponent: number): bigint {
    if (this.#exponent >= exponent) return this.#withExponent(exponent);
    return divideAwayFromZero(this.#unscaled, exponent - this.#exponent);
  }

  #asInt64(exponent: number): bigint {
    const largest = this.sign < 0 ? -maxInt64 : maxInt64;
    if (this.#magnitude() - exponent > maxInt64Digits) return largest;
    const scaled = this.#scaledTo(exponent);
    return scaled > maxInt64 || scaled < -maxInt64 ? largest : scaled;
  }

  /** Kubernetes prints small and fractional amounts with decimal suffixes, even in BinarySI. */
  #printsBinary(): boolean {
    if (this.format !== 'BinarySI' || !this.isMultipleOf(0)) return false;
    const value = this.value();
    return value <= -1024n || value >= 1024n;
  }

  #binary(): string {
    let amount = this.value();
    let exponent = 0;
    for (; amount % 1024n === 0n; exponent += 10) amount /= 1024n;
    return `${amount}${printSuffix('BinarySI', exponent)}`;
  }

  #decimal(): string {
    const digits = this.#unscaled.toString();
    const significant = trimRight(digits, '0');
    const exponent = this.#exponent + digits.length - significant.length;
    const excess = ((exponent % 3) + 3) % 3;
    const format = this.format === 'DecimalExponent' ? 'DecimalExponent' : 'DecimalSI';
    return `${significant}${'0'.repeat(excess)}${printSuffix(format, exponent - excess)}`;
  }
}

/** Throws a QuantityError. */
export function parseQuantity(text: string): Quantity {
  return parse(text).quantity;
}

/** The fields of a quantity in Go's memory after parsing. Throws a QuantityError. */
export function quantityInGo(text: string): QuantityInGo {
  const { quantity, isBig } = parse(text);
  const fields = quantity.inGo(isBig);
  // Go's parser returns early for this one text, and keeps it.
  return text === '0' ? { ...fields, spelling: text } : fields;
}

function parse(text: string): { readonly quantity: Quantity; readonly isBig: boolean } {
  const parts = text === '' || text.length > maxLength ? null : partsPattern.exec(text);
  if (parts === null) throw new QuantityError(wrongFormat);
  const [, sign = '', digits = '', fraction = '', letters = ''] = parts;
  const suffix = readSuffix(letters);
  if (suffix === undefined) throw new QuantityError(wrongSuffix);
  const whole = digits === '' ? '0' : digits;
  const isNegative = sign === '-';
  if (isQuick(whole, fraction, suffix)) {
    return { quantity: quickQuantity(text, isNegative, whole, fraction, suffix), isBig: false };
  }
  // A missing number is zero, but only on Go's fast path.
  if (!/^[+-]?\.?\d/.test(text)) throw new QuantityError(noNumber);
  return { quantity: largeQuantity(isNegative, whole + fraction, fraction.length, suffix), isBig: true };
}

/** The quantity as Kubernetes prints it after parsing. Throws a QuantityError. */
export function canonicalQuantity(value: string | number): string {
  return parseQuantity(String(value).trim()).toString();
}

function isQuick(whole: string, fraction: string, { format, exponent }: QuantitySuffix): boolean {
  if (format === 'BinarySI') {
    return fraction === '' && whole.length + Math.trunc((exponent * 3) / 10) <= maxQuickBinaryDigits;
  }
  return whole.length + fraction.length <= maxQuickDigits && exponent - fraction.length >= finestExponent;
}

function quickQuantity(
  text: string,
  isNegative: boolean,
  whole: string,
  fraction: string,
  { format, exponent }: QuantitySuffix,
): Quantity {
  const digits = whole + fraction;
  const size = BigInt(digits);
  const signed = isNegative ? -size : size;
  if (format === 'BinarySI') {
    const spelling = (size & 7n) === 0n ? undefined : text;
    return new Quantity(signed << BigInt(exponent), 0, format, spelling);
  }
  const scale = exponent - fraction.length;
  const isCanonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return new Quantity(signed, scale, format, isCanonical ? text : undefined);
}

function largeQuantity(isNegative: boolean, digits: string, decimals: number, suffix: QuantitySuffix): Quantity {
  const isBinary = suffix.format === 'BinarySI';
  const exponent = (isBinary ? 0 : suffix.exponent) - decimals;
  const size = isBinary ? BigInt(digits) << BigInt(suffix.exponent) : BigInt(digits);
  const rounded = new Quantity(size, exponent, suffix.format).roundedUp(finestExponent);
  const limited = isBinary ? fitToBinary(rounded) : rounded;
  return isNegative ? limited.negated() : limited;
}

/** Binary amounts are at most the largest int64. Amounts below one become decimal. */
function fitToBinary(quantity: Quantity): Quantity {
  const largest = new Quantity(maxInt64, 0, 'BinarySI');
  if (quantity.compare(largest) > 0) return largest;
  const isFraction = quantity.compare(new Quantity(1n, 0, 'BinarySI')) < 0;
  return isFraction ? quantity.as('DecimalSI') : quantity;
}

function digitsOf(value: bigint): number {
  const text = value.toString();
  return value < 0n ? text.length - 1 : text.length;
}

function divideAwayFromZero(value: bigint, digits: number): bigint {
  if (value === 0n) return 0n;
  const unit = value < 0n ? -1n : 1n;
  // If more digits are dropped than there are, only the rounding remains. Computing the power of ten could take long.
  if (digits > digitsOf(value)) return unit;
  const divisor = 10n ** BigInt(digits);
  const quotient = value / divisor;
  return quotient * divisor === value ? quotient : quotient + unit;
}
