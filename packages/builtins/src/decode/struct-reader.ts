import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { GoType } from '../table/go-type.ts';
import type { StructType } from '../table/struct-type.ts';
import { isObject } from './container-readers.ts';
import type { DecodeState } from './decode-state.ts';
import { StructShape } from './struct-shape.ts';
import type { ValueReader } from './value-reader.ts';

/** Reads a struct. The result has its fields in struct order, whatever the order of the input. */
export class StructReader implements ValueReader {
  readonly omits = 'nothing';
  readonly #type: StructType;
  readonly #readerOf: (type: GoType) => ValueReader;
  #shape: StructShape | undefined;
  #indices: ReadonlyMap<string, number> = new Map();

  constructor(type: StructType, readerOf: (type: GoType) => ValueReader) {
    this.#type = type;
    this.#readerOf = readerOf;
  }

  /** Created on first use, because types recurse. */
  get shape(): StructShape {
    if (this.#shape === undefined) {
      this.#shape = new StructShape(this.#type, this.#readerOf);
      this.#indices = new Map(this.#shape.fields.map(({ field }, index) => [field.name, index]));
    }
    return this.#shape;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (!isObject(value)) {
      if (value !== null) state.mismatch(value, this.#type.goName);
      return this.zero();
    }
    return state.isTooDeep ? {} : this.shape.assemble(this.#readFields(value, state), state.keepsEmpty);
  }

  zero(): JsonValue {
    return this.shape.assemble([]);
  }

  /** Values by the field's index in the struct. */
  #readFields(object: JsonObject, state: DecodeState): (JsonValue | undefined)[] {
    const { fields } = this.shape;
    const values: (JsonValue | undefined)[] = [];
    values.length = fields.length;
    for (const name in object) {
      const value = object[name];
      if (value === undefined) continue;
      const index = this.#indices.get(name);
      const known = index === undefined ? undefined : fields[index];
      if (index === undefined || known === undefined) {
        state.unknown(name);
        continue;
      }
      state.enterField(this.#type, known.field);
      values[index] = known.reader.read(value, state);
      state.leave();
    }
    return values;
  }
}
