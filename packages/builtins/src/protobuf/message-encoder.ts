/** Encodes objects in wire form as Go would, byte for byte, with a plan that is made once for each type. */
import { compareBytes, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import { isObject } from '../decode/container-readers.ts';
import { pointee, type GoType, type ListType, type WellKnownForm } from '../table/go-type.ts';
import { isInlined, type Field, type Member, type StructType } from '../table/struct-type.ts';
import { structType } from '../table/type-table.ts';
import { fixed64Wire, lengthDelimitedWire, varintWire } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';
import { writeSchemaOr } from './schema-or-message.ts';
import { wellKnownMessage } from './well-known-messages.ts';

export function encodeMessage(type: StructType, object: JsonObject): Uint8Array {
  const writer = new ProtoWriter();
  writeStruct(type, writer, object);
  return writer.finish();
}

interface ValueForm {
  readonly wireType: number;
  readonly write: (writer: ProtoWriter, value: JsonValue | undefined) => void;
}

/** Writes a member of an object with its tag, or nothing. */
type MemberPlan = (writer: ProtoWriter, object: JsonObject) => void;

const plans = new WeakMap<StructType, readonly MemberPlan[]>();

export function writeStruct(type: StructType, writer: ProtoWriter, object: JsonObject): void {
  for (const plan of plansOf(type)) plan(writer, object);
}

/** In descending order of field numbers, because the writer goes backwards. */
function plansOf(type: StructType): readonly MemberPlan[] {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const members = type.members.filter(({ number }) => number > 0).sort((a, b) => b.number - a.number);
  const made = members.map(memberPlan);
  plans.set(type, made);
  return made;
}

function memberPlan(member: Member): MemberPlan {
  if (!isInlined(member)) return fieldPlan(member);
  return (writer, object) => {
    const mark = writer.mark();
    writeStruct(member.type, writer, object);
    writer.endMessage(member.number, mark);
  };
}

function fieldPlan({ name, number, type }: Field): MemberPlan {
  const target = pointee(type);
  if (target.kind === 'list' && !target.isMessage) return listPlan(target, name, number);
  if (target.kind === 'map') return mapPlan(target.value, name, number);
  const form = formOf(target);
  const isNullable = type.kind === 'pointer' || target.kind === 'bytes' || target.kind === 'list';
  return (writer, object) => {
    const value = object[name];
    if (isNullable && (value === undefined || value === null)) return;
    form.write(writer, value);
    writer.tag(number, form.wireType);
  };
}

function listPlan(type: ListType, name: string, number: number): MemberPlan {
  const form = formOf(pointee(type.element));
  return (writer, object) => {
    const list = object[name];
    if (!Array.isArray(list)) return;
    for (let i = list.length - 1; i >= 0; i--) {
      form.write(writer, list[i]);
      writer.tag(number, form.wireType);
    }
  };
}

function mapPlan(valueType: GoType, name: string, number: number): MemberPlan {
  const form = formOf(pointee(valueType));
  return (writer, object) => {
    const map = object[name];
    if (map === undefined || !isObject(map)) return;
    for (const key of Object.keys(map).sort(compareBytes).reverse()) {
      const mark = writer.mark();
      form.write(writer, map[key]);
      writer.tag(2, form.wireType);
      writer.text(key);
      writer.tag(1, lengthDelimitedWire);
      writer.endMessage(number, mark);
    }
  };
}

/** Absent values are written as zero values: the caller has already omitted nil. */
function formOf(type: GoType): ValueForm {
  switch (type.kind) {
    case 'string':
      return {
        wireType: lengthDelimitedWire,
        write: (writer, value) => writer.text(typeof value === 'string' ? value : ''),
      };
    case 'bool':
      return { wireType: varintWire, write: (writer, value) => writer.unsigned(value === true ? 1 : 0) };
    case 'int32':
    case 'int64':
      return { wireType: varintWire, write: (writer, value) => writer.signed(isInteger(value) ? value : 0) };
    case 'float64':
      return { wireType: fixed64Wire, write: (writer, value) => writer.double(floatOf(value)) };
    case 'bytes':
      return {
        wireType: lengthDelimitedWire,
        write: (writer, value) => writer.bytes(Buffer.from(typeof value === 'string' ? value : '', 'base64')),
      };
    case 'struct':
      return message((writer, value) => writeStruct(type, writer, value !== undefined && isObject(value) ? value : {}));
    case 'list': {
      const items = listPlan(type, 'items', 1);
      return message((writer, value) => items(writer, { items: value ?? null }));
    }
    case 'well-known':
      return message(wellKnownWrite(type.form));
    case 'pointer':
      return formOf(type.element);
    case 'map':
    case 'any':
      throw new Error(`${type.goName} has no protobuf form`);
  }
}

function message(write: (writer: ProtoWriter, value: JsonValue | undefined) => void): ValueForm {
  return {
    wireType: lengthDelimitedWire,
    write: (writer, value) => {
      const mark = writer.mark();
      write(writer, value);
      writer.endLength(mark);
    },
  };
}

function wellKnownWrite(form: WellKnownForm): (writer: ProtoWriter, value: JsonValue | undefined) => void {
  switch (form) {
    case 'schema-or-bool':
    case 'schema-or-array':
    case 'schema-or-strings':
      return (writer, value) => {
        const schema = structType('apiextensions/v1', 'JSONSchemaProps');
        writeSchemaOr(form, writer, value ?? null, (nested, object) => writeStruct(schema, nested, object));
      };
    case 'time':
    case 'micro-time':
    case 'duration':
    case 'quantity':
    case 'int-or-string':
    case 'raw':
    case 'json': {
      const { write } = wellKnownMessage(form);
      return (writer, value) => write(writer, value ?? null);
    }
  }
}

function floatOf(value: JsonValue | undefined): number {
  if (value instanceof JsonFloat) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

function isInteger(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}
