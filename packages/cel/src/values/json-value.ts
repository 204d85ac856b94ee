/** JSON without a schema as values of expressions, and back. Copies nothing on the way in, and reads values on access. */
import { JsonFloat, setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelStruct,
  CelTimestamp,
  CelUint,
  type CelValue,
  type Result,
} from '../value.ts';
import { equals } from './equality.ts';
import { durationText, timestampText } from './time-text.ts';
import { typeName, typeOf } from './type-of.ts';
import { valueText } from './value-text.ts';

/** What differs between libraries that read JSON. */
export interface JsonReading {
  /** Whether every number is a double, as where Go parses without a type. */
  readonly areDoubles?: boolean;
  /** The key that a name in an expression means. Default: the name. */
  readonly keyOf?: (name: string) => string;
}

const usualReading: JsonReading = {};

export function celOf(value: JsonValue, reading: JsonReading = usualReading): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) && !reading.areDoubles ? BigInt(value) : value;
  if (typeof value === 'bigint') return reading.areDoubles ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return new PlainList(value, reading);
  return value instanceof JsonFloat ? value.value : new PlainMap(value, reading);
}

class PlainList extends CelList {
  readonly json: readonly JsonValue[];
  readonly #reading: JsonReading;

  constructor(json: readonly JsonValue[], reading: JsonReading) {
    super();
    this.json = json;
    this.#reading = reading;
  }

  override get size(): number {
    return this.json.length;
  }

  override at(index: number): Result {
    return celOf(this.json[index] ?? null, this.#reading);
  }
}

class PlainMap extends CelMap {
  readonly json: JsonObject;
  readonly #reading: JsonReading;

  constructor(json: JsonObject, reading: JsonReading) {
    super();
    this.json = json;
    this.#reading = reading;
  }

  override get size(): number {
    return Object.keys(this.json).length;
  }

  override get(name: CelValue): Result | undefined {
    if (typeof name !== 'string') return undefined;
    const key = this.#reading.keyOf?.(name) ?? name;
    const value = Object.hasOwn(this.json, key) ? this.json[key] : undefined;
    return value === undefined ? undefined : celOf(value, this.#reading);
  }

  override keys(): Iterable<CelValue> {
    return Object.keys(this.json);
  }
}

/** A value with fields that an expression created. */
export class CreatedStruct extends CelStruct {
  override readonly typeName: string;
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(typeName: string, fields: ReadonlyMap<string, CelValue>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }

  override get(field: string): Result | undefined {
    return this.fields.get(field);
  }

  override get size(): number {
    return this.fields.size;
  }

  override equals(other: CelStruct): boolean | CelError {
    if (!(other instanceof CreatedStruct) || other.typeName !== this.typeName || other.size !== this.size) return false;
    for (const [name, value] of this.fields) {
      const otherValue = other.fields.get(name);
      const same = otherValue === undefined ? false : equals(value, otherValue);
      if (same !== true) return same;
    }
    return true;
  }
}

/** Values share parts, which their JSON repeats. An expression could make it larger than memory at little cost. */
const maxCreatedValues = 200_000;

/** The JSON of a value; an error if it has none. */
export function jsonOf(value: CelValue): JsonValue | CelError {
  return new JsonWriter().write(value);
}

class JsonWriter {
  #left = maxCreatedValues;

  write(value: CelValue): JsonValue | CelError {
    if (--this.#left < 0) return new CelError('value is too large');
    if (typeof value === 'bigint') return wholeNumber(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : new CelError(`${value} has no JSON`);
    return typeof value === 'object' && value !== null ? this.#writeObject(value) : value;
  }

  #writeObject(value: object & CelValue): JsonValue | CelError {
    if (value instanceof PlainList) return value.json as JsonValue[];
    if (value instanceof PlainMap) return value.json;
    if (value instanceof CelList) return this.#writeList(value);
    if (value instanceof CelMap) return this.#writeFields([...value.keys()].map((key) => [key, value.get(key)]));
    if (value instanceof CreatedStruct) return this.#writeFields([...value.fields]);
    if (value instanceof CelUint) return wholeNumber(value.value);
    if (value instanceof CelTimestamp) return timestampText(value);
    if (value instanceof CelDuration) return durationText(value);
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    return new CelError(`type conversion error from '${typeName(typeOf(value))}' to JSON`);
  }

  #writeList(list: CelList): JsonValue[] | CelError {
    const items: JsonValue[] = [];
    for (let i = 0; i < list.size; i++) {
      const item = list.at(i);
      const json = item instanceof CelError ? item : this.write(item);
      if (json instanceof CelError) return json;
      items.push(json);
    }
    return items;
  }

  #writeFields(fields: readonly (readonly [key: CelValue, value: Result | undefined])[]): JsonObject | CelError {
    const object: JsonObject = {};
    for (const [key, value = null] of fields) {
      if (typeof key !== 'string') return new CelError(`map key ${valueText(key)} is not a string`);
      const json = value instanceof CelError ? value : this.write(value);
      if (json instanceof CelError) return json;
      setOwn(object, key, json);
    }
    return object;
  }
}

function wholeNumber(value: bigint): number | bigint {
  const short = Number(value);
  return Number.isSafeInteger(short) ? short : value;
}
