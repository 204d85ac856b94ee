/** Encodes JSON documents as gnostic's protobuf messages, by tables of their fields. */
import { fixed64Wire, lengthDelimitedWire, varintWire, type ProtoWriter } from '@flotilla/builtins';
import { JsonFloat, printYaml, type JsonObject, type JsonValue } from '@flotilla/kube';

/** Writes one field. The writer works from the end to the beginning, so lists and messages do too. */
export type Write = (writer: ProtoWriter, number: number, value: JsonValue) => void;

export interface Message {
  /** By keyword: the number of the field, and its writer. */
  readonly fields: Readonly<Record<string, readonly [number: number, write: Write]>>;
  /** Number of the field for keywords with the prefix `x-`. */
  readonly extensions?: number;
  /** Whether fields are written in the order of their numbers, like Go, and not of their keywords. */
  readonly isSorted?: boolean;
}

export function writeFields(writer: ProtoWriter, of: Message, object: JsonObject): void {
  const { fields, extensions, isSorted = false } = of;
  const members = backwards(object);
  if (isSorted) members.sort(([a], [b]) => numberOf(of, b) - numberOf(of, a));
  for (const [keyword, value] of members) {
    const field = Object.hasOwn(fields, keyword) ? fields[keyword] : undefined;
    if (field) field[1](writer, field[0], value);
    else if (extensions !== undefined && keyword.startsWith('x-')) writeNamed(writer, extensions, keyword, value, yaml);
    else throw new Error(`OpenAPI: no protobuf field for ${keyword}`);
  }
}

function numberOf({ fields, extensions = 0 }: Message, keyword: string): number {
  return (Object.hasOwn(fields, keyword) ? fields[keyword]?.[0] : undefined) ?? extensions;
}

export function backwards(object: JsonObject): [string, JsonValue][] {
  return (Object.entries(object) as [string, JsonValue][]).filter(([, value]) => value !== undefined).reverse();
}

export function writeNamed(writer: ProtoWriter, number: number, name: string, value: JsonValue, write: Write): void {
  const mark = writer.mark();
  write(writer, 2, value);
  text(writer, 1, name);
  writer.endMessage(number, mark);
}

export const text: Write = (writer, number, value) => {
  writer.text(value as string);
  writer.tag(number, lengthDelimitedWire);
};

export const flag: Write = (writer, number, value) => {
  writer.unsigned(value === true ? 1 : 0);
  writer.tag(number, varintWire);
};

export const count: Write = (writer, number, value) => {
  writer.signed(value as number | bigint);
  writer.tag(number, varintWire);
};

export const double: Write = (writer, number, value) => {
  writer.double(Number(value instanceof JsonFloat ? value.value : value));
  writer.tag(number, fixed64Wire);
};

/** Encodes values of any type as YAML text. */
export const yaml: Write = (writer, number, value) => {
  const mark = writer.mark();
  text(writer, 2, printYaml(value));
  writer.endMessage(number, mark);
};

export function each(write: Write): Write {
  return (writer, number, value) => {
    for (const item of (value as JsonValue[]).toReversed()) write(writer, number, item);
  };
}

export function message(of: () => Message): Write {
  return (writer, number, value) => {
    const mark = writer.mark();
    writeFields(writer, of(), value as JsonObject);
    writer.endMessage(number, mark);
  };
}

/** A message with a single field. */
export function wrapped(inner: number, write: Write): Write {
  return (writer, number, value) => {
    const mark = writer.mark();
    write(writer, inner, value);
    writer.endMessage(number, mark);
  };
}

/** Encodes a map as a message with a list of names and values. */
export function map(write: Write, listNumber = 1): Write {
  return (writer, number, value) => {
    const mark = writer.mark();
    for (const [name, item] of backwards(value as JsonObject)) {
      writeNamed(writer, listNumber, name, item, write);
    }
    writer.endMessage(number, mark);
  };
}
