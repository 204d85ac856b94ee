/** Decodes messages directly into objects in wire form, with a plan that is made once for each type. */
import { reparsedFloat, setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';
import { isObject } from '../decode/container-readers.ts';
import { sortedByKey } from '../decode/key-order.ts';
import { structReaderOf } from '../decode/readers.ts';
import { pointee, type GoType, type ListType, type WellKnownForm } from '../table/go-type.ts';
import { isInlined, type Field, type StructType } from '../table/struct-type.ts';
import { structType } from '../table/type-table.ts';
import { fixed64Wire, lengthDelimitedWire, ProtobufError, ProtoReader, varintWire } from './proto-reader.ts';
import { readSchemaOr } from './schema-or-message.ts';
import { wellKnownMessage } from './well-known-messages.ts';

/** Users decide how deep JSON schemas nest; the call stack is finite. */
const maxDepth = 500;

/** Throws a `ProtobufError`. */
export function decodeMessage(type: StructType, bytes: Uint8Array): JsonObject {
  return readStruct(type, new ProtoReader(bytes), 0);
}

type Values = (JsonValue | undefined)[];

interface ValueForm {
  readonly wireType: number;
  readonly read: (reader: ProtoReader, depth: number) => JsonValue;
}

/** Decodes a field of a message, and sets or extends the value at its index. */
type FieldPlan = (values: Values, reader: ProtoReader, wireType: number, depth: number) => void;

interface MessagePlan {
  readonly name: string;
  readonly fields: ReadonlyMap<number, FieldPlan>;
  /** Indices of the values that are maps, whose entries may come in any order. */
  readonly mapIndices: readonly number[];
}

const plans = new WeakMap<StructType, MessagePlan>();

function planOf(type: StructType): MessagePlan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const plan = makePlan(type, 0);
  plans.set(type, plan);
  return plan;
}

/**
 * An inlined struct is a message of its own, but its values belong to the owner. `firstIndex` is the index of the first
 * one.
 */
function makePlan(type: StructType, firstIndex: number): MessagePlan {
  const fields = new Map<number, FieldPlan>();
  const mapIndices: number[] = [];
  let index = firstIndex;
  for (const member of type.members) {
    const { number } = member;
    if (isInlined(member)) {
      const inlined = makePlan(member.type, index);
      mapIndices.push(...inlined.mapIndices);
      if (number > 0) fields.set(number, inlinePlan(inlined));
      index += member.type.fields.length;
    } else {
      if (pointee(member.type).kind === 'map') mapIndices.push(index);
      if (number > 0) fields.set(number, fieldPlan(member, index));
      index += 1;
    }
  }
  return { name: type.name, fields, mapIndices };
}

function readStruct(type: StructType, reader: ProtoReader, depth: number): JsonObject {
  if (depth > maxDepth) throw new ProtobufError('exceeded max depth');
  const { shape } = structReaderOf(type);
  const values: Values = [];
  values.length = shape.fields.length;
  const plan = planOf(type);
  readFields(plan, values, reader, depth);
  for (const index of plan.mapIndices) {
    const map = values[index];
    if (map !== undefined) values[index] = sortedByKey(map as JsonObject);
  }
  return shape.assemble(values);
}

function readFields({ name, fields }: MessagePlan, values: Values, reader: ProtoReader, depth: number): void {
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag(name);
    const plan = fields.get(number);
    if (plan === undefined) reader.skip(wireType);
    else plan(values, reader, wireType, depth);
  }
}

function inlinePlan(plan: MessagePlan): FieldPlan {
  return (values, reader, wireType, depth) => {
    checkWireType(wireType, lengthDelimitedWire, plan.name);
    readFields(plan, values, reader.message(), depth + 1);
  };
}

function fieldPlan(field: Field, index: number): FieldPlan {
  const type = pointee(field.type);
  if (type.kind === 'list' && !type.isMessage) return listPlan(type, field.name, index);
  if (type.kind === 'map') return mapPlan(type.value, field.name, index);
  const form = formOf(type);
  return (values, reader, wireType, depth) => {
    checkWireType(wireType, form.wireType, field.name);
    values[index] = form.read(reader, depth);
  };
}

function listPlan(type: ListType, name: string, index: number): FieldPlan {
  const form = formOf(pointee(type.element));
  return (values, reader, wireType, depth) => {
    const known = values[index];
    const list = Array.isArray(known) ? known : [];
    values[index] = list;
    if (wireType === lengthDelimitedWire && form.wireType !== lengthDelimitedWire) {
      for (const packed = reader.message(); !packed.isAtEnd;) list.push(form.read(packed, depth));
    } else {
      checkWireType(wireType, form.wireType, name);
      list.push(form.read(reader, depth));
    }
  };
}

function mapPlan(valueType: GoType, name: string, index: number): FieldPlan {
  const form = formOf(pointee(valueType));
  return (values, reader, wireType, depth) => {
    checkWireType(wireType, lengthDelimitedWire, name);
    const known = values[index];
    const map: JsonObject = known !== undefined && isObject(known) ? known : {};
    const { key, value } = readEntry(reader.message(), form, depth);
    setOwn(map, key, value ?? form.read(new ProtoReader(zeroByte), depth));
    values[index] = map;
  };
}

/** Zero as a varint, or a length of zero: decodes to the zero value of every form that maps hold. */
const zeroByte = new Uint8Array(1);

function readEntry(reader: ProtoReader, form: ValueForm, depth: number): { key: string; value: JsonValue | undefined } {
  let key = '';
  let value: JsonValue | undefined;
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('entry');
    if (number === 1 && wireType === lengthDelimitedWire) key = reader.text();
    else if (number === 2 && wireType === form.wireType) value = form.read(reader, depth);
    else reader.skip(wireType);
  }
  return { key, value };
}

function checkWireType(actual: number, expected: number, name: string): void {
  if (actual === expected) return;
  const goName = name.slice(0, 1).toUpperCase() + name.slice(1);
  throw new ProtobufError(`proto: wrong wireType = ${actual} for field ${goName}`);
}

function formOf(type: GoType): ValueForm {
  switch (type.kind) {
    case 'string':
      return { wireType: lengthDelimitedWire, read: (reader) => reader.text() };
    case 'bool':
      return { wireType: varintWire, read: (reader) => reader.bool() };
    case 'int32':
      return { wireType: varintWire, read: (reader) => reader.int32() };
    case 'int64':
      return { wireType: varintWire, read: (reader) => reader.int64() };
    case 'float64':
      return { wireType: fixed64Wire, read: (reader) => reparsedFloat(reader.double()) };
    case 'bytes':
      return { wireType: lengthDelimitedWire, read: (reader) => reader.bytes().toString('base64') };
    case 'struct':
      return { wireType: lengthDelimitedWire, read: (reader, depth) => readStruct(type, reader.message(), depth + 1) };
    case 'list':
      return { wireType: lengthDelimitedWire, read: (reader, depth) => readListMessage(type, reader.message(), depth) };
    case 'well-known':
      return { wireType: lengthDelimitedWire, read: wellKnownRead(type.form) };
    case 'pointer':
      return formOf(type.element);
    case 'map':
    case 'any':
      throw new Error(`${type.goName} has no protobuf form`);
  }
}

/** A list encoded as a message has its elements in field 1. */
function readListMessage(type: ListType, reader: ProtoReader, depth: number): JsonValue {
  const values: Values = [];
  const fields = new Map([[1, listPlan(type, 'items', 0)]]);
  readFields({ name: type.goName, fields, mapIndices: [] }, values, reader, depth);
  return values[0] ?? null;
}

function wellKnownRead(form: WellKnownForm): ValueForm['read'] {
  switch (form) {
    case 'schema-or-bool':
    case 'schema-or-array':
    case 'schema-or-strings':
      return (reader, depth) => {
        const schema = structType('apiextensions/v1', 'JSONSchemaProps');
        return readSchemaOr(form, reader.message(), (nested) => readStruct(schema, nested, depth + 1));
      };
    case 'time':
    case 'micro-time':
    case 'duration':
    case 'quantity':
    case 'int-or-string':
    case 'raw':
    case 'json': {
      const { read } = wellKnownMessage(form);
      return (reader) => read(reader.message());
    }
  }
}
