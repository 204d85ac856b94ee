import { JsonRangeError } from './json-error.ts';

/**
 * JSON as Kubernetes distinguishes it. Integers beyond a double are bigints, so that an int64 survives a round trip.
 * A whole number with a fraction or exponent (`1.0`, `1e3`) is a `JsonFloat`, because Go refuses it as an integer.
 * Both are rare: all other values are those of `JSON.parse`.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonFloat | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A whole number that was written as a float. Keeps its text, which Go quotes in errors. */
export class JsonFloat {
  readonly value: number;
  readonly literal: string;

  constructor(value: number, literal = usualLiteral(value)) {
    this.value = value;
    this.literal = literal;
  }

  toJSON(): number {
    return this.value;
  }
}

/** The engine prints such an object as its text. TypeScript does not declare it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => number };

/**
 * A number whose text differs from how it would be printed (`1e-3`, `0.10`, `-0`, `1e309`). Go keeps the text of
 * numbers in a RawExtension, parses quantities from it, and compares it in a JSON patch. So it is printed as it was
 * written.
 */
export class SpelledNumber extends JsonFloat {
  override toJSON(): number {
    return rawJSON(this.literal);
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonFloat);
}

/** Whether all parsers read the number from its usual text. Others may be read as a bigint or as a number with its spelling. */
export function isPrintedExactly(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e15 && !Object.is(value, -0);
}

/**
 * False if the value has numbers that are read otherwise than they are printed: bigints and floats that keep their text. False for a
 * deep value, too, because users control the depth of JSON.
 */
export function isReadAsPrinted(value: JsonValue, depth = 0): boolean {
  if (typeof value === 'bigint') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > maxRecursion || value instanceof JsonFloat) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== 'string' && !isReadAsPrinted(item, depth + 1)) return false;
    return true;
  }
  for (const key in value) {
    const member = value[key];
    if (typeof member !== 'string' && member !== undefined && !isReadAsPrinted(member, depth + 1)) return false;
  }
  return true;
}

const maxRecursion = 100;

/** The value if it is a string, else the empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** `1.0`. Beyond int64 a number is a float without a point, too. */
function usualLiteral(value: number): string {
  return Math.abs(value) >= 2 ** 63 ? BigInt(value).toString() : `${value}.0`;
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** The most characters of an int64, with its sign. */
const maxInt64Length = 20;

/** A float64 after printing and parsing: a whole one within int64 becomes an integer. */
export function reparsedFloat(value: number): number | bigint | JsonFloat {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  const literal = JSON.stringify(value);
  return numberFrom(literal, !literal.includes('e'));
}

/** Makes a value from the text of a number. */
export type NumberReader = (literal: string, isInteger: boolean) => number | bigint | JsonFloat;

/** The value that Go decodes: an int64 if the text is an integer that fits, else a float64. */
export function numberFrom(literal: string, isInteger: boolean): number | bigint | JsonFloat {
  const value = Number(literal);
  if (isInteger) {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    const exact = literal.length <= maxInt64Length ? BigInt(literal) : undefined;
    if (exact !== undefined && exact >= minInt64 && exact <= maxInt64) return exact;
  }
  if (!Number.isFinite(value)) {
    throw new JsonRangeError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
  }
  return Number.isInteger(value) ? new JsonFloat(value, literal) : value;
}

/** Like `numberFrom`, but a number that would be printed otherwise keeps its text. */
export function spelledNumberFrom(literal: string, isInteger: boolean): number | bigint | JsonFloat {
  const read = numberFrom(literal, isInteger);
  if (typeof read === 'bigint') return read;
  const value = typeof read === 'number' ? read : read.value;
  return String(value) === literal ? read : new SpelledNumber(value, literal);
}

/** Like `spelledNumberFrom`, but a number beyond a double becomes an infinite one with its text. */
export function unboundedNumberFrom(literal: string, isInteger: boolean): number | bigint | JsonFloat {
  const value = Number(literal);
  return Number.isFinite(value) ? spelledNumberFrom(literal, isInteger) : new SpelledNumber(value, literal);
}

/** The number without its text. Throws a JsonRangeError. */
export function withoutSpelling({ literal }: SpelledNumber): number | bigint | JsonFloat {
  return numberFrom(literal, !/[.eE]/.test(literal));
}
