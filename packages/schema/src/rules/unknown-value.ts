import { CelError, CelOpaque } from '@flotilla/cel';
import { jsonEquals, JsonFloat, type JsonValue } from '@flotilla/kube';

/** JSON that has no type in its schema: it can be compared, and nothing else. */
export class UnknownValue extends CelOpaque {
  override readonly typeName = 'unknown';
  readonly #json: JsonValue;

  constructor(json: JsonValue) {
    super();
    this.#json = json;
  }

  override equals(other: CelOpaque): boolean {
    return other instanceof UnknownValue && jsonEquals(this.#json, other.#json);
  }
}

/** A value that is not of its schema's type; what it is instead has Go's name. */
export function unexpected(expected: string, value: JsonValue): CelError {
  return new CelError(`invalid data, expected ${expected}, got ${goTypeOf(value)}`);
}

function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (value instanceof JsonFloat) return 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}
