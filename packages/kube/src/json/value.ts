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

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonFloat);
}

/** `1.0`; what no int64 can hold needs no point to be a float. */
function usualLiteral(value: number): string {
  return Math.abs(value) >= 2 ** 63 ? BigInt(value).toString() : `${value}.0`;
}
