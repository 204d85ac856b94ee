/**
 * Shows JSON to expressions in the types that its schema gives it. Nothing is copied, and nothing is looked at before it is
 * asked for.
 */
import { CelError, type Result } from '@flotilla/cel';
import { isJsonObject, JsonFloat, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { itemsOf, valuesOf } from '../schema-parts.ts';
import { withResourceFields } from './cel-type.ts';
import { escapeName } from './escape-name.ts';
import { JsonList } from './json-list.ts';
import { JsonMap, JsonStruct, StructFields } from './json-object.ts';
import { readString } from './read-string.ts';
import { unexpected, UnknownValue } from './unknown-value.ts';
import { KeyedList, SetList } from './unordered-list.ts';

const nullNotAllowed = new CelError('invalid data, got null for schema with nullable=false');

type Read = (value: Exclude<JsonValue, null>) => Result;

/** Reads values of one node of a schema. */
export class CelReader {
  readonly #schema: JsonSchema;
  readonly #isResource: boolean;
  #read: Read | undefined;

  constructor(schema: JsonSchema, isResource = schema['x-kubernetes-embedded-resource'] === true) {
    this.#schema = schema;
    this.#isResource = isResource;
  }

  read(value: JsonValue): Result {
    if (value === null) return this.#schema.nullable === true ? null : nullNotAllowed;
    return (this.#read ??= readFor(this.#schema, this.#isResource))(value);
  }
}

function readFor(schema: JsonSchema, isResource: boolean): Read {
  if (schema['x-kubernetes-int-or-string'] === true) return readIntOrString;
  switch (schema.type ?? '') {
    case 'object':
      return readObject(schema, isResource);
    case 'array':
      return readList(schema);
    case 'string':
      return readString(schema.format);
    case 'number':
      return readDouble;
    case 'integer':
      return readInt;
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : unexpected('bool', value));
    default:
      return readUntyped(schema);
  }
}

/** Expressions cannot name such values, but the objects that hold them can be compared. */
function readUntyped(schema: JsonSchema): Read {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return (value) => new UnknownValue(value);
  const error = new CelError(
    'invalid type, expected object, array, number, integer, boolean or string, or no type with ' +
      `x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
  );
  return () => error;
}

function readIntOrString(value: Exclude<JsonValue, null>): Result {
  if (typeof value === 'string') return value;
  return intOf(value) ?? new CelError('invalid data, expected XIntOrString value to be either a string or integer');
}

function readInt(value: Exclude<JsonValue, null>): Result {
  return intOf(value) ?? unexpected('int', value);
}

/** Undefined for everything that was not written as an integer. */
function intOf(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

function readDouble(value: Exclude<JsonValue, null>): Result {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof JsonFloat ? value.value : unexpected('float', value);
}

function readObject(schema: JsonSchema, isResource: boolean): Read {
  const notObject = new CelError('invalid data, expected a map for the provided schema with type=object');
  const values = valuesOf(schema);
  if (values !== undefined && schema.properties === undefined && !isResource) {
    const reader = new CelReader(values);
    return (value) => (isJsonObject(value) ? new JsonMap(value, reader) : notObject);
  }
  const fields = fieldsOf(isResource ? withResourceFields(schema) : schema);
  return (value) => (isJsonObject(value) ? new JsonStruct(value, fields) : notObject);
}

function fieldsOf({ properties = {} }: JsonSchema): StructFields {
  return new StructFields(
    Object.entries(properties).map(([name, schema]) => ({ name, reader: new CelReader(schema) })),
  );
}

function readList(schema: JsonSchema): Read {
  const items = itemsOf(schema);
  if (items === undefined) {
    const noItems = new CelError('invalid array type, expected Items with a non-empty Schema');
    return () => noItems;
  }
  const reader = new CelReader(items);
  const notList = new CelError('invalid data, expected an array for the provided schema with type=array');
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key);
  switch (schema['x-kubernetes-list-type'] ?? '') {
    case 'map':
      return (value) => (Array.isArray(value) ? new KeyedList(new JsonList(value, reader), keys) : notList);
    case 'set':
      return (value) => (Array.isArray(value) ? new SetList(new JsonList(value, reader)) : notList);
    default:
      return (value) => (Array.isArray(value) ? new JsonList(value, reader) : notList);
  }
}
