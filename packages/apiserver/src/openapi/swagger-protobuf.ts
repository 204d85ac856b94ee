/**
 * Encodes the v2 document as gnostic's protobuf message openapi.v2.Document, the only form that client-go requests. Covers only
 * what Kubernetes' documents use; an unknown keyword is an error, so that nothing is lost silently.
 */
import { ProtoWriter } from '@flotilla/builtins';
import type { JsonObject } from '@flotilla/kube';
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
  yaml,
  type Message,
  type Write,
} from './gnostic-messages.ts';

/** Keywords per step. */
const stepSize = 16;

/**
 * Encodes in steps, because the document is large. Protobuf merges concatenated messages, so a document may be written as
 * many small ones.
 */
export function* encodeSwagger({ paths = {}, definitions = {}, ...rest }: JsonObject): Steps<Uint8Array> {
  const parts = [encodePart(rest)];
  for (const [keyword, value] of [
    ['paths', paths],
    ['definitions', definitions],
  ] as const) {
    const entries = Object.entries(value as JsonObject);
    for (let at = 0; at < entries.length; at += stepSize) {
      yield;
      parts.push(encodePart({ [keyword]: Object.fromEntries(entries.slice(at, at + stepSize)) }));
    }
  }
  return Buffer.concat(parts);
}

function encodePart(part: JsonObject): Uint8Array {
  const writer = new ProtoWriter();
  writeFields(writer, document, part);
  return writer.finish();
}

const texts = each(text);
const schema = message(() => schemaMessage);

const additionalProperties: Write = (writer, number, value) =>
  (typeof value === 'boolean' ? wrapped(2, flag) : wrapped(1, schema))(writer, number, value);

const schemaMessage: Message = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, yaml],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, count],
    minLength: [12, count],
    pattern: [13, text],
    maxItems: [14, count],
    minItems: [15, count],
    uniqueItems: [16, flag],
    maxProperties: [17, count],
    minProperties: [18, count],
    required: [19, texts],
    enum: [20, each(yaml)],
    additionalProperties: [21, additionalProperties],
    type: [22, wrapped(1, text)],
    items: [23, wrapped(1, schema)],
    properties: [25, map(schema)],
    externalDocs: [29, message(() => externalDocs)],
    example: [30, yaml],
  },
  extensions: 31,
};

const externalDocs: Message = { fields: { description: [1, text], url: [2, text] } };

const bodyParameter: Message = {
  fields: { description: [1, text], name: [2, text], in: [3, text], required: [4, flag], schema: [5, schema] },
};

const queryParameter: Message = {
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    uniqueItems: [20, flag],
  },
};

const pathParameter: Message = {
  fields: { ...queryParameter.fields, type: [5, text], uniqueItems: [19, flag] },
};

/** The location of a parameter selects its message, two or three levels down. */
const parameterForms: Readonly<Record<string, Write>> = {
  body: wrapped(
    1,
    wrapped(
      1,
      message(() => bodyParameter),
    ),
  ),
  query: wrapped(
    1,
    wrapped(
      2,
      wrapped(
        3,
        message(() => queryParameter),
      ),
    ),
  ),
  path: wrapped(
    1,
    wrapped(
      2,
      wrapped(
        4,
        message(() => pathParameter),
      ),
    ),
  ),
};

const parameter: Write = (writer, number, value) => {
  const location = (value as { in: string }).in;
  const write = parameterForms[location];
  if (!write) throw new Error(`OpenAPI: no protobuf form for a parameter in ${location}`);
  write(writer, number, value);
};

const response: Message = { fields: { description: [1, text], schema: [2, wrapped(1, schema)] } };

const operationMessage: Message = {
  fields: {
    tags: [1, texts],
    description: [3, text],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, each(parameter)],
    responses: [
      9,
      map(
        wrapped(
          1,
          message(() => response),
        ),
      ),
    ],
    schemes: [10, texts],
  },
  extensions: 13,
};
const operation = message(() => operationMessage);

const pathItem: Message = {
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, each(parameter)],
  },
};

const info: Message = { fields: { title: [1, text], version: [2, text] } };

const keySecurity: Message = { fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] } };

const document: Message = {
  fields: {
    swagger: [1, text],
    info: [2, message(() => info)],
    paths: [
      8,
      map(
        message(() => pathItem),
        2,
      ),
    ],
    definitions: [9, map(schema)],
    security: [12, each(map(wrapped(1, texts)))],
    securityDefinitions: [
      13,
      map(
        wrapped(
          2,
          message(() => keySecurity),
        ),
      ),
    ],
  },
};
