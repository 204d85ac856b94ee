import { CelError, CelMap, equals, type CelValue, type Result } from '@flotilla/cel';
import { jsonEquals, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { CelReader } from './cel-reader.ts';
import { escapeName, isReservedName } from './escape-name.ts';

/** A map; all its values have the same schema. */
export class JsonMap extends CelMap {
  readonly #json: JsonObject;
  readonly #reader: CelReader;

  constructor(json: JsonObject, reader: CelReader) {
    super();
    this.#json = json;
    this.#reader = reader;
  }

  override get size(): number {
    return Object.keys(this.#json).length;
  }

  override get(key: CelValue): Result | undefined {
    const value = typeof key === 'string' ? own(this.#json, key) : undefined;
    return value === undefined ? undefined : this.#reader.read(value);
  }

  override keys(): Iterable<CelValue> {
    return Object.keys(this.#json);
  }
}

interface StructField {
  readonly name: string;
  readonly reader: CelReader;
}

/** The declared fields of objects, by their names in JSON and in expressions. */
export class StructFields {
  readonly #byName: ReadonlyMap<string, StructField>;
  /** A name that expressions cannot write maps to itself. */
  readonly #byEscapedName: ReadonlyMap<string, StructField>;

  constructor(fields: readonly StructField[]) {
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.#byEscapedName = new Map(fields.map((field) => [escapeName(field.name) ?? field.name, field]));
  }

  named(name: string): StructField | undefined {
    return this.#byName.get(name);
  }

  escaped(name: string): StructField | undefined {
    return this.#byEscapedName.get(isReservedName(name) ? `__${name}__` : name);
  }
}

/** An object with declared fields. A null field counts as absent. */
export class JsonStruct extends CelMap {
  readonly #json: JsonObject;
  readonly #fields: StructFields;

  constructor(json: JsonObject, fields: StructFields) {
    super();
    this.#json = json;
    this.#fields = fields;
  }

  override get size(): number {
    return Object.keys(this.#json).length;
  }

  override get(key: CelValue): Result | undefined {
    const field = typeof key === 'string' ? this.#fields.escaped(key) : undefined;
    const value = field && own(this.#json, field.name);
    return value === undefined || value === null ? undefined : field?.reader.read(value);
  }

  override keys(): Iterable<CelValue> {
    return Object.keys(this.#json)
      .filter((name) => this.#fields.named(name) !== undefined)
      .map((name) => escapeName(name) ?? name);
  }

  /** Compares unknown fields only if both objects have them. */
  override equals(other: CelMap): boolean | CelError {
    if (this.size !== other.size) return false;
    for (const [name, value] of Object.entries(this.#json)) {
      const same =
        this.#fields.named(name) === undefined
          ? isSameUnknown(value, other instanceof JsonStruct ? own(other.#json, name) : undefined)
          : this.#isSameField(escapeName(name) ?? name, other);
      if (same !== true) return same;
    }
    return true;
  }

  #isSameField(name: string, other: CelMap): boolean | CelError {
    const value = this.get(name);
    const otherValue = other.get(name);
    if (value === undefined || otherValue === undefined) return value === otherValue;
    if (value instanceof CelError) return value;
    return otherValue instanceof CelError ? otherValue : equals(value, otherValue);
  }
}

function isSameUnknown(value: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return other === undefined || jsonEquals(value ?? null, other);
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
