import { compareBytes, goFloat } from '../go/format.ts';
import { JsonFloat } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkPatchDepth } from './patch-error.ts';

interface PrintOptions {
  /** Prints whole numbers as float64, as after a plain `json.Unmarshal`: 1000000 is `1e+06`. */
  readonly doubles?: boolean;
}

/** Go's `%v` of a decoded JSON value: `map[a:1 b:[x y] c:<nil>]`. Patch errors contain values in this form. */
export function goPrint(value: JsonValue | undefined, { doubles = false }: PrintOptions = {}): string {
  return print(value, doubles, 0);
}

function print(value: JsonValue | undefined, doubles: boolean, depth: number): string {
  checkPatchDepth(depth);
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return printNumber(value, doubles);
  if (value instanceof JsonFloat) return goFloat(value.value);
  if (Array.isArray(value)) return `[${value.map((element) => print(element, doubles, depth + 1)).join(' ')}]`;
  return typeof value === 'object' ? printMap(value, doubles, depth) : String(value);
}

function printMap(object: JsonObject, doubles: boolean, depth: number): string {
  const keys = Object.keys(object).sort(compareBytes);
  return `map[${keys.map((key) => `${key}:${print(object[key], doubles, depth + 1)}`).join(' ')}]`;
}

function printNumber(value: number | bigint, doubles: boolean): string {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  return isInteger && !doubles ? value.toString() : goFloat(Number(value));
}

/** The Go type that the value decodes to without a schema. */
export function goTypeName(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (value instanceof JsonFloat) return 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
