import { JsonFloat, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { stringFormat } from './formats/string-formats.ts';

/** JSON's types as Go distinguishes them: a number is an integer by how it was written. */
export type ValueKind = 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object';

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

/** Kubernetes allows for a rounding error above the whole part. */
export function isNearlyWhole(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return whole > 0 && (value - whole) / (value + whole) < integerTolerance;
}

/** The types that a schema accepts, and the format, which matters for the decision. */
export interface TypeRule {
  readonly types: readonly string[];
  /** Empty if the schema has no format that Kubernetes knows for its type. */
  readonly format: string;
}

interface TypeMismatch {
  readonly expected: string;
  readonly found: string;
}

export function typeRuleOf(schema: JsonSchema): TypeRule {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return { types: ['integer', 'string'], format: knownFormat('', schema.format) };
  }
  const { type = '' } = schema;
  return { types: type === '' ? [] : [type], format: knownFormat(type, schema.format) };
}

/** Undefined if the rule accepts the kind. `isWhole` concerns numbers that were written as floats. */
export function typeMismatch({ types, format }: TypeRule, kind: ValueKind, isWhole: boolean): TypeMismatch | undefined {
  if (types.length === 0 && format === '') return undefined;
  const isTaken =
    types.includes(kind) ||
    (kind === 'number' && isWhole && types.includes('integer')) ||
    (kind === 'integer' && types.includes('number'));
  const isText = kind === 'string' || kind === 'array';
  if (format !== '') {
    if (!isText && !isTaken && format !== formatOf(kind)) return { expected: format, found: formatOf(kind) };
    // The format decides about a list or a text.
    if (isText && !types.includes('number') && !types.includes('integer')) return undefined;
  }
  return isTaken ? undefined : { expected: types.join(','), found: kind };
}

function formatOf(kind: ValueKind): string {
  if (kind === 'integer') return 'int64';
  return kind === 'number' ? 'float64' : '';
}

function knownFormat(type: string, format = ''): string {
  return isKnown(type, format) ? format : '';
}

function isKnown(type: string, format: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return stringFormat(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}
