import { CelError, CelOpaque } from '@flotilla/cel';
import { goTypeName, jsonEquals, type JsonValue } from '@flotilla/kube';

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
  return value === null ? '<nil>' : goTypeName(value);
}
