/** JSONSchemaPropsOrBool, …OrArray and …OrStringArray: messages that hold a schema or another value. */
import type { JsonObject, JsonValue } from '@flotilla/kube';
import { isObject } from '../decode/container-readers.ts';
import { lengthDelimitedWire, varintWire, type ProtoReader } from './proto-reader.ts';
import type { ProtoWriter } from './proto-writer.ts';

type SchemaForm = 'schema-or-array' | 'schema-or-bool' | 'schema-or-strings';

const schemaNumber: Readonly<Record<SchemaForm, number>> = {
  'schema-or-bool': 2,
  'schema-or-array': 1,
  'schema-or-strings': 1,
};

const listFieldNumber = 2;

export function readSchemaOr(
  form: SchemaForm,
  reader: ProtoReader,
  readSchema: (reader: ProtoReader) => JsonObject,
): JsonValue {
  let allows = false;
  let schema: JsonObject | undefined;
  const list: JsonValue[] = [];
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('JSONSchemaProps');
    if (wireType === varintWire && number === 1) allows = reader.bool();
    else if (wireType === lengthDelimitedWire && number === schemaNumber[form]) schema = readSchema(reader.message());
    else if (wireType === lengthDelimitedWire && number === listFieldNumber) {
      list.push(form === 'schema-or-strings' ? reader.text() : readSchema(reader.message()));
    } else reader.skip(wireType);
  }
  if (list.length > 0) return list;
  return schema ?? (form === 'schema-or-bool' ? allows : null);
}

export function writeSchemaOr(
  form: SchemaForm,
  writer: ProtoWriter,
  value: JsonValue,
  writeSchema: (writer: ProtoWriter, schema: JsonObject) => void,
): void {
  if (Array.isArray(value)) {
    for (const element of value.toReversed()) writeElement(writer, element, writeSchema);
  } else if (isObject(value)) {
    const mark = writer.mark();
    writeSchema(writer, value);
    writer.endMessage(schemaNumber[form], mark);
  }
  if (form !== 'schema-or-bool') return;
  // Go sets `allows` for a schema too.
  writer.unsigned(value === true || isObject(value) ? 1 : 0);
  writer.tag(1, varintWire);
}

function writeElement(
  writer: ProtoWriter,
  element: JsonValue,
  writeSchema: (writer: ProtoWriter, schema: JsonObject) => void,
): void {
  const mark = writer.mark();
  if (isObject(element)) {
    writeSchema(writer, element);
    writer.endMessage(listFieldNumber, mark);
  } else {
    writer.text(typeof element === 'string' ? element : '');
    writer.tag(listFieldNumber, lengthDelimitedWire);
  }
}
