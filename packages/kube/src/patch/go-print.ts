import { compareBytes } from '../go-format.ts';
import { JsonFloat } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkPatchDepth } from './patch-error.ts';

/** A JSON value as Go's `%v` prints it after decoding: `map[a:1 b:[x y] c:<nil>]`. Patch errors quote values this way. */
export function goPrint(value: JsonValue | undefined, depth = 0): string {
  checkPatchDepth(depth);
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goNumber(value);
  if (value instanceof JsonFloat) return goNumber(value.value);
  if (Array.isArray(value)) return `[${value.map((element) => goPrint(element, depth + 1)).join(' ')}]`;
  if (typeof value === 'object') return goMap(value, depth);
  return String(value);
}

function goMap(object: JsonObject, depth: number): string {
  const entries = Object.keys(object).sort(compareBytes);
  return `map[${entries.map((key) => `${key}:${goPrint(object[key], depth + 1)}`).join(' ')}]`;
}

/** Go changes to exponents below 1e-4 (JavaScript below 1e-6) and writes at least two digits of them. */
function goNumber(value: number): string {
  const tiny = value !== 0 && Math.abs(value) < 1e-4;
  const text = tiny ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The name of the Go type that the value decodes to without a schema. */
export function goTypeName(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (value instanceof JsonFloat) return 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
