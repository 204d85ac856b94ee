/** The three notations of a quantity: `12M`, `12Mi` and `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface QuantitySuffix {
  readonly format: QuantityFormat;
  readonly base: 2 | 10;
  readonly exponent: number;
}

const decimalExponents: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const binaryExponents: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

const decimalSuffixes = new Map([...decimalExponents].map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = new Map([...binaryExponents].map(([suffix, exponent]) => [exponent, suffix]));

const exponentPattern = /^[eE]([+-]?\d+)$/;

export function readSuffix(suffix: string): QuantitySuffix | undefined {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return { format: 'DecimalSI', base: 10, exponent: decimal };
  const binary = binaryExponents.get(suffix);
  if (binary !== undefined) return { format: 'BinarySI', base: 2, exponent: binary };
  const digits = exponentPattern.exec(suffix)?.[1];
  return digits === undefined ? undefined : readExponent(digits);
}

/** Beyond exa there is no suffix. Kubernetes then prints none, and so does this. */
export function printSuffix(format: QuantityFormat, exponent: number): string {
  switch (format) {
    case 'DecimalSI':
      return decimalSuffixes.get(exponent) ?? '';
    case 'BinarySI':
      return binarySuffixes.get(exponent) ?? '';
    case 'DecimalExponent':
      return exponent === 0 ? '' : `e${exponent}`;
  }
}

/** Go parses an int64 here and keeps its lower half. */
function readExponent(digits: string): QuantitySuffix | undefined {
  if (digits.length > 20) return undefined;
  const exact = BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
  if (BigInt.asIntN(64, exact) !== exact) return undefined;
  return { format: 'DecimalExponent', base: 10, exponent: Number(BigInt.asIntN(32, exact)) };
}
