import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { GoType } from '../table/go-type.ts';
import type { Field, StructType } from '../table/struct-type.ts';
import { isObject } from './container-readers.ts';
import type { DecodeState } from './decode-problems.ts';
import type { Omission, ValueReader } from './value-reader.ts';

interface FieldReader {
  readonly field: Field;
  readonly reader: ValueReader;
  /** Written although nothing was read. */
  readonly isAlwaysWritten: boolean;
  readonly omits: Omission;
}

/** Reads a struct: fields come out in struct order, whatever the order they came in. */
export class StructReader implements ValueReader {
  readonly omits = 'nothing';
  readonly #type: StructType;
  readonly #readerOf: (type: GoType) => ValueReader;
  #fields: readonly FieldReader[] | undefined;
  #indices: ReadonlyMap<string, number> = new Map();

  constructor(type: StructType, readerOf: (type: GoType) => ValueReader) {
    this.#type = type;
    this.#readerOf = readerOf;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (!isObject(value)) {
      if (value !== null) state.mismatch(value, this.#type.goName);
      return this.zero();
    }
    return state.isTooDeep ? {} : this.#write(this.#readFields(value, state));
  }

  zero(): JsonValue {
    return this.#write([]);
  }

  /** Values by the field's place in the struct. */
  #readFields(object: JsonObject, state: DecodeState): (JsonValue | undefined)[] {
    const fields = this.#compiled();
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

  #write(values: readonly (JsonValue | undefined)[]): JsonObject {
    const fields = this.#compiled();
    const object: JsonObject = {};
    for (let i = 0; i < fields.length; i++) {
      const value = values[i];
      const field = fields[i];
      if (field === undefined) continue;
      if (value === undefined) {
        if (field.isAlwaysWritten) object[field.field.name] = field.reader.zero();
      } else if (!isOmitted(value, field.omits)) {
        object[field.field.name] = value;
      }
    }
    return object;
  }

  /** When first needed, because types recurse. */
  #compiled(): readonly FieldReader[] {
    if (this.#fields !== undefined) return this.#fields;
    this.#fields = this.#type.fields.map((field) => compileField(field, this.#readerOf(field.type)));
    this.#indices = new Map(this.#fields.map(({ field }, index) => [field.name, index]));
    return this.#fields;
  }
}

function compileField(field: Field, reader: ValueReader): FieldReader {
  // A zero time writes null, so leaving out nil is what `omitzero` means for it; nothing else has the tag.
  const omits = field.omitZero ? 'nil' : field.omitEmpty ? reader.omits : 'nothing';
  return { field, reader, omits, isAlwaysWritten: omits === 'nothing' };
}

function isOmitted(value: JsonValue, omits: Omission): boolean {
  switch (omits) {
    case 'nothing':
      return false;
    case 'nil':
      return value === null;
    case 'zero':
      return value === '' || value === 0 || value === false;
    case 'empty':
      return value === null || value === '' || isEmptyContainer(value);
  }
}

function isEmptyContainer(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value as JsonObject) return false;
  return true;
}
