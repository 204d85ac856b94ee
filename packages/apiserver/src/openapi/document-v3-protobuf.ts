/**
 * Encodes a v3 document as gnostic's protobuf message openapi.v3.Document, byte for byte like Kubernetes. Covers only what
 * Kubernetes' documents use; an unknown keyword is an error, so that nothing is lost silently.
 */
import { lengthDelimitedWire, ProtoWriter } from '@flotilla/builtins';
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { Steps } from '@flotilla/timing';
import {
  count,
  double,
  each,
  flag,
  map,
  message,
  text,
  wrapped,
  writeFields,
  writeNamed,
  yaml,
  type Message,
  type Write,
} from './gnostic-messages.ts';

/** Paths or schemas per step. */
const stepSize = 16;

const pathsNumber = 4;
const componentsNumber = 5;
const schemasNumber = 1;

/** Encodes in steps, because a document is large. */
export function* encodeDocumentV3({ paths = {}, components = {}, ...rest }: JsonObject): Steps<Uint8Array> {
  const { schemas = {}, ...otherComponents } = components as JsonObject;
  const { head, tail } = splitAt(rest, documentMessage, pathsNumber);
  const encodedPaths = yield* encodeEntries(paths as JsonObject, pathItem);
  const encodedSchemas = yield* encodeEntries(schemas as JsonObject, schema);
  const componentBytes = [
    ...(encodedSchemas.length > 0 ? lengthDelimited(schemasNumber, encodedSchemas) : []),
    encode(componentsMessage, otherComponents),
  ];
  return Buffer.concat([
    encode(documentMessage, head),
    ...lengthDelimited(pathsNumber, encodedPaths),
    ...(hasKeys(components) ? lengthDelimited(componentsNumber, componentBytes) : []),
    encode(documentMessage, tail),
  ]);
}

/** Encodes each entry as a name and a value in field 1 of its message. */
function* encodeEntries(object: JsonObject, write: Write): Steps<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  const entries = Object.entries(object) as [string, JsonValue][];
  for (let at = 0; at < entries.length; at += stepSize) {
    yield;
    const writer = new ProtoWriter();
    for (const [name, value] of entries.slice(at, at + stepSize).reverse()) writeNamed(writer, 1, name, value, write);
    parts.push(writer.finish());
  }
  return parts;
}

function encode(of: Message, object: JsonObject): Uint8Array {
  const writer = new ProtoWriter();
  writeFields(writer, of, object);
  return writer.finish();
}

function lengthDelimited(number: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const writer = new ProtoWriter();
  writer.unsigned(parts.reduce((sum, { length }) => sum + length, 0));
  writer.tag(number, lengthDelimitedWire);
  return [writer.finish(), ...parts];
}

/** The fields before a number, and those after it. */
function splitAt(object: JsonObject, { fields }: Message, number: number): { head: JsonObject; tail: JsonObject } {
  const head: JsonObject = {};
  const tail: JsonObject = {};
  for (const [keyword, value] of Object.entries(object)) {
    const isBefore = (fields[keyword]?.[0] ?? Infinity) < number;
    (isBefore ? head : tail)[keyword] = value;
  }
  return { head, tail };
}

function hasKeys(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** Go omits zero values. */
function unlessZero(write: Write): Write {
  return (writer, number, value) => {
    if (value === false || value === '' || numberOf(value) === 0) return;
    write(writer, number, value);
  };
}

function numberOf(value: JsonValue): number | undefined {
  if (value instanceof JsonFloat) return value.value;
  return typeof value === 'number' ? value : undefined;
}

const string = unlessZero(text);
const boolean = unlessZero(flag);
const integer = unlessZero(count);
const number = unlessZero(double);
const strings = each(text);

/** One of two messages: the value itself, or a reference to it. */
function orReference(write: Write): Write {
  const whole = wrapped(1, write);
  const reference = wrapped(
    2,
    message(() => referenceMessage),
  );
  return (writer, field, value) =>
    (typeof (value as JsonObject)['$ref'] === 'string' ? reference : whole)(writer, field, value);
}

const referenceMessage: Message = {
  fields: { $ref: [1, string], summary: [2, string], description: [3, string] },
  isSorted: true,
};

const plainSchema = message(() => schemaMessage);
const schema = orReference(plainSchema);

const additionalProperties: Write = (writer, field, value) =>
  (typeof value === 'boolean' ? wrapped(2, flag) : wrapped(1, schema))(writer, field, value);

/** Other values become an empty message. */
const defaultValue: Write = (writer, field, value) => {
  const mark = writer.mark();
  if (typeof value === 'boolean') flag(writer, 2, value);
  else if (typeof value === 'string') text(writer, 3, value);
  else if (typeof value === 'bigint' || numberOf(value) !== undefined) double(writer, 1, value);
  writer.endMessage(field, mark);
};

const externalDocs = message(() => ({ fields: { description: [1, string], url: [2, string] }, isSorted: true }));

const schemaMessage: Message = {
  fields: {
    nullable: [1, boolean],
    externalDocs: [6, externalDocs],
    example: [7, yaml],
    title: [9, string],
    multipleOf: [10, number],
    maximum: [11, number],
    exclusiveMaximum: [12, boolean],
    minimum: [13, number],
    exclusiveMinimum: [14, boolean],
    maxLength: [15, integer],
    minLength: [16, integer],
    pattern: [17, string],
    maxItems: [18, integer],
    minItems: [19, integer],
    uniqueItems: [20, boolean],
    maxProperties: [21, integer],
    minProperties: [22, integer],
    required: [23, strings],
    enum: [24, each(yaml)],
    type: [25, string],
    allOf: [26, each(schema)],
    oneOf: [27, each(schema)],
    anyOf: [28, each(schema)],
    not: [29, plainSchema],
    items: [30, wrapped(1, schema)],
    properties: [31, map(schema)],
    additionalProperties: [32, additionalProperties],
    default: [33, defaultValue],
    description: [34, string],
    format: [35, string],
  },
  extensions: 36,
  isSorted: true,
};

const parameter = orReference(
  message(() => ({
    fields: {
      name: [1, string],
      in: [2, string],
      description: [3, string],
      required: [4, boolean],
      schema: [10, schema],
    },
    isSorted: true,
  })),
);

const content = map(message(() => ({ fields: { schema: [1, schema] }, isSorted: true })));

const requestBody = orReference(
  message(() => ({
    fields: { description: [1, string], content: [2, content], required: [3, boolean] },
    isSorted: true,
  })),
);

const response = orReference(
  message(() => ({ fields: { description: [1, string], content: [3, content] }, isSorted: true })),
);

const operation = message(() => ({
  fields: {
    tags: [1, strings],
    summary: [2, string],
    description: [3, string],
    operationId: [5, string],
    parameters: [6, each(parameter)],
    requestBody: [7, requestBody],
    responses: [8, map(response, 2)],
    deprecated: [10, boolean],
  },
  extensions: 13,
  isSorted: true,
}));

const pathItem = message(() => ({
  fields: {
    summary: [2, string],
    description: [3, string],
    get: [4, operation],
    put: [5, operation],
    post: [6, operation],
    delete: [7, operation],
    options: [8, operation],
    head: [9, operation],
    patch: [10, operation],
    parameters: [13, each(parameter)],
  },
  isSorted: true,
}));

const securityScheme = orReference(
  message(() => ({
    fields: { type: [1, string], description: [2, string], name: [3, string], in: [4, string], scheme: [5, string] },
    isSorted: true,
  })),
);

const componentsMessage: Message = { fields: { securitySchemes: [7, map(securityScheme)] }, isSorted: true };

const info = message(() => ({
  fields: { title: [1, string], description: [2, string], version: [6, string] },
  isSorted: true,
}));

const documentMessage: Message = {
  fields: {
    openapi: [1, string],
    info: [2, info],
    security: [6, each(map(wrapped(1, strings)))],
  },
  isSorted: true,
};
