/**
 * Prints objects as the Go structs that Kubernetes decodes them into, in the format `%#v` of the library spew. Kubernetes
 * hashes this text, so it contains every field, every type and every nil.
 */
import { isJsonObject, sortedKeys, type JsonValue } from '@flotilla/kube';

import type { GoType, WellKnownType } from '../table/go-type.ts';
import { isInlined, type Member, type StructType } from '../table/struct-type.ts';
import { wellKnownDumps } from './well-known-dumps.ts';

/** Prints a value without its type. A value of another type than Go's is printed as the zero value. */
export type Dumper = (value: JsonValue | undefined) => string;

const nil = '<nil>';

/** The struct as Go has it after decoding protobuf: empty lists and maps are nil. */
export function goDump(type: StructType, value: JsonValue | undefined): string {
  return `(${type.goName})${dumperOf(type)(value)}`;
}

const structDumpers = new WeakMap<StructType, Dumper>();

function dumperOf(type: GoType): Dumper {
  switch (type.kind) {
    case 'struct':
      return structDumper(type);
    case 'list':
      return listDumper(dumperOf(type.element));
    case 'map':
      return mapDumper(dumperOf(type.value));
    case 'pointer':
      return pointerDumper(dumperOf(type.element));
    case 'well-known':
      return wellKnownDumper(type);
    case 'string':
      return dumpString;
    case 'bool':
      return dumpBool;
    case 'int32':
    case 'int64':
      return dumpInteger;
    case 'bytes':
      return dumpBytes;
    case 'float64':
    case 'any':
      throw unhashed(type.goName);
  }
}

function dumpString(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function dumpBool(value: JsonValue | undefined): string {
  return value === true ? 'true' : 'false';
}

function dumpInteger(value: JsonValue | undefined): string {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '0';
}

function dumpBytes(value: JsonValue | undefined): string {
  return typeof value === 'string' ? `[${Buffer.from(value, 'base64').join(' ')}]` : nil;
}

function pointerDumper(dump: Dumper): Dumper {
  return (value) => (value === undefined || value === null ? nil : dump(value));
}

function listDumper(dump: Dumper): Dumper {
  return (value) => (Array.isArray(value) && value.length > 0 ? `[${value.map(dump).join(' ')}]` : nil);
}

function mapDumper(dump: Dumper): Dumper {
  return (value) => {
    if (!isJsonObject(value)) return nil;
    const keys = sortedKeys(value);
    return keys.length === 0 ? nil : `map[${keys.map((key) => `${key}:${dump(value[key])}`).join(' ')}]`;
  };
}

function wellKnownDumper({ form, goName }: WellKnownType): Dumper {
  const dumper = wellKnownDumps[form];
  if (dumper === undefined) throw unhashed(goName);
  return dumper;
}

function unhashed(goName: string): Error {
  return new Error(`Kubernetes hashes no value with a ${goName}`);
}

interface FieldDump {
  /** In JSON; undefined for an inlined struct, whose fields are those of the owner. */
  readonly name: string | undefined;
  /** `Name:(string)` */
  readonly head: string;
  readonly dump: Dumper;
  /** The head and the zero value: most fields are not set. */
  readonly unset: string;
}

/** Fields are prepared on first use. */
function structDumper(type: StructType): Dumper {
  const known = structDumpers.get(type);
  if (known !== undefined) return known;
  let fields: readonly FieldDump[] | undefined;
  const dumper: Dumper = (value) => {
    fields ??= type.members.map(fieldDump);
    return dumpStruct(fields, value);
  };
  structDumpers.set(type, dumper);
  return dumper;
}

function fieldDump(member: Member): FieldDump {
  const isEmbedded = isInlined(member);
  const head = `${isEmbedded ? member.type.name : member.goName}:(${member.type.goName})`;
  const dump = dumperOf(member.type);
  return { name: isEmbedded ? undefined : member.name, head, dump, unset: head + dump(undefined) };
}

function dumpStruct(fields: readonly FieldDump[], value: JsonValue | undefined): string {
  const object = isJsonObject(value) ? value : {};
  let text = '{';
  for (const { name, head, dump, unset } of fields) {
    if (text.length > 1) text += ' ';
    const field = name === undefined ? object : object[name];
    text += field === undefined ? unset : head + dump(field);
  }
  return `${text}}`;
}
