import { JsonRangeError } from './json-error.ts';

/**
 * JSON as Kubernetes means it. Integers that a double cannot hold are bigints, so that an int64 survives a round trip;
 * a number written with a fraction or an exponent whose value is whole (`1.0`, `1e3`) is a `JsonFloat`, because Go refuses
 * it where an integer belongs. Both are rare: everything else is what `JSON.parse` gives.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonFloat | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** A whole number that was written as a float, and how: Go quotes it where it refuses it. */
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

/** The engine prints such an object as its text. The library of TypeScript does not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => number };

/**
 * Any number that a reader of texts found written otherwise than it would be printed (`1e-3`, `0.10`, `-0`, `1e309`). Go keeps the
 * text of numbers in a RawExtension, reads quantities off it, and compares it in a JSON patch, so it is printed as it was written.
 */
export class SpelledNumber extends JsonFloat {
  override toJSON(): number {
    return rawJSON(this.literal);
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonFloat);
}

/** `1.0`; what no int64 can hold needs no point to be a float. */
function usualLiteral(value: number): string {
  return Math.abs(value) >= 2 ** 63 ? BigInt(value).toString() : `${value}.0`;
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** An int64 has no more digits than this, with its sign. */
const maxInt64Length = 20;

/** A float64 as it comes back once it was printed as JSON: a whole one that an int64 holds is an integer by then. */
export function reparsedFloat(value: number): number | bigint | JsonFloat {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return value;
  const literal = JSON.stringify(value);
  return numberFrom(literal, !literal.includes('e'));
}

/** Makes a value of the text of a number, which is a whole one without a fraction and an exponent or not. */
export type NumberReader = (literal: string, isInteger: boolean) => number | bigint | JsonFloat;

/** What Go would see in a number: an int64 where it is written as an integer that fits, else a float64. */
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

/** The same, but a number that would be printed otherwise keeps its text. */
export function spelledNumberFrom(literal: string, isInteger: boolean): number | bigint | JsonFloat {
  const read = numberFrom(literal, isInteger);
  if (typeof read === 'bigint') return read;
  const value = typeof read === 'number' ? read : read.value;
  return String(value) === literal ? read : new SpelledNumber(value, literal);
}

/** The same, but no number is too large: one that no double holds is an infinite one with its text. */
export function unboundedNumberFrom(literal: string, isInteger: boolean): number | bigint | JsonFloat {
  const value = Number(literal);
  return Number.isFinite(value) ? spelledNumberFrom(literal, isInteger) : new SpelledNumber(value, literal);
}

/** What a number is once its text is forgotten. Throws a JsonRangeError. */
export function withoutSpelling({ literal }: SpelledNumber): number | bigint | JsonFloat {
  return numberFrom(literal, !/[.eE]/.test(literal));
}
