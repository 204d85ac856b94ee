/** Shows JSON to expressions with the types of its schema. Copies nothing, and reads values only on access. */
import { CelDuration, CelError, CelOpaque, CelTimestamp, type Result } from '@flotilla/cel';
import {
  goTypeName,
  isJsonObject,
  jsonEquals,
  JsonFloat,
  TimeError,
  type Instant,
  type JsonValue,
} from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from '../json-schema.ts';
import { parseDate, parseDateTime } from '../value/formats/date-time.ts';
import { parseLooseDuration } from '../value/formats/duration.ts';
import { withResourceFields } from './cel-type.ts';
import { escapeName } from './escape-name.ts';
import { JsonList, KeyedList, SetList } from './json-list.ts';
import { JsonMap, JsonStruct, StructFields } from './json-object.ts';

const nullNotAllowed = new CelError('invalid data, got null for schema with nullable=false');

type Read = (value: Exclude<JsonValue, null>) => Result;

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

/** Expressions cannot access such values, but can compare the objects that contain them. */
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

/** Strings of some formats have their own CEL types. */
function readString(format = ''): (value: JsonValue) => Result {
  const read = formatReaders.get(format);
  if (read === undefined) return (value) => (typeof value === 'string' ? value : unexpected('string', value));
  return (value) => (typeof value === 'string' ? read(value) : unexpected('string', value));
}

const formatReaders: ReadonlyMap<string, (text: string) => Result> = new Map([
  ['duration', readDuration],
  ['date', (text) => timestamp(parseDate(text), `Invalid date formatted string ${text}`)],
  ['date-time', (text) => timestamp(parseDateTime(text), `Invalid date-time formatted string ${text}`)],
  ['byte', readBytes],
]);

function readDuration(text: string): Result {
  const nanos = parseLooseDuration(text);
  if (nanos !== undefined) return new CelDuration(nanos);
  return new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
}

function timestamp(time: Instant | TimeError, problem: string): Result {
  if (time instanceof TimeError) return new CelError(`${problem}: ${time.message}`);
  return new CelTimestamp(BigInt(time.epochSeconds) * 1_000_000_000n + BigInt(time.nanoseconds));
}

/** Kubernetes decodes the URL alphabet here, although it validates the standard one. */
function readBytes(text: string): Result {
  const stranger = text.search(/[^A-Za-z0-9_=\-\r\n]/);
  if (stranger === -1) return Uint8Array.from(Buffer.from(text, 'base64url'));
  const problem = `illegal base64 data at input byte ${Buffer.byteLength(text.slice(0, stranger))}`;
  return new CelError(`Invalid byte formatted string ${text}: ${problem}`);
}

/** JSON without a type in its schema: it can be compared, nothing else. */
class UnknownValue extends CelOpaque {
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

/** A value that does not have its schema's type; the message has Go's name of the actual type. */
function unexpected(expected: string, value: JsonValue): CelError {
  return new CelError(`invalid data, expected ${expected}, got ${goTypeOf(value)}`);
}

function goTypeOf(value: JsonValue): string {
  return value === null ? '<nil>' : goTypeName(value);
}
