import { JsonRangeError } from './json-error.ts';
import { JsonFloat } from './value.ts';

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
