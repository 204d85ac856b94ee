import { JsonFloat, type JsonValue } from '@flotilla/kube';

/** JSON's types as Go tells them apart: a number is an integer by how it was written. */
export type ValueKind = 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object';

/** Not for null, which has no kind. */
export function kindOf(value: Exclude<JsonValue, null>): ValueKind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (Array.isArray(value)) return 'array';
  return value instanceof JsonFloat ? 'number' : 'object';
}

export function floatOf(value: number | bigint | JsonFloat): number {
  return value instanceof JsonFloat ? value.value : Number(value);
}

const integerTolerance = 1e-9;

/** Whole, or as good as: Kubernetes allows for a rounding error above the whole part. */
export function isNearlyWhole(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return whole > 0 && (value - whole) / (value + whole) < integerTolerance;
}
