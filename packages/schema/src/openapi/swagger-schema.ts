import { setOwn, type JsonObject } from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from '../json-schema.ts';

/**
 * A schema in version 2 of OpenAPI, which has no junctors, null or defaults. Parts that old clients would misread
 * become untyped, so that clients never refuse what the server accepts.
 */
export function swaggerSchema(schema: JsonSchema): JsonSchema {
  const {
    allOf: _allOf,
    anyOf: _anyOf,
    oneOf: _oneOf,
    not: _not,
    nullable: _null,
    default: _default,
    ...rest
  } = schema;
  const { type, properties, items: _items, additionalProperties, required, ...plain } = rest;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const hasShape = schema.nullable !== true && !isOpen;
  const items = hasShape ? itemsOf(schema) : undefined;
  const values = valuesOf(schema);
  const needed =
    values?.nullable === true ? [] : (required ?? []).filter((name) => !hasShape || !mayBeNull(schema, name));
  return {
    ...plain,
    ...(keepsType(schema, items) && type !== undefined && { type }),
    ...(needed.length > 0 && { required: needed }),
    ...(items && { items: swaggerSchema(items) }),
    ...(hasShape && properties && { properties: eachProperty(properties) }),
    ...(additionalProperties !== undefined && { additionalProperties: values ? swaggerSchema(values) : true }),
  };
}

/** Clients cannot handle a list of unknown items, nor fields of any type. */
function keepsType(schema: JsonSchema, items: JsonSchema | undefined): boolean {
  if (schema.nullable === true) return false;
  if (schema.type === 'array') return items !== undefined;
  return !(schema.type === 'object' && schema['x-kubernetes-preserve-unknown-fields'] === true);
}

function mayBeNull({ properties }: JsonSchema, name: string): boolean {
  return properties !== undefined && Object.hasOwn(properties, name) && properties[name]?.nullable === true;
}

function eachProperty(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const converted: JsonObject = {};
  for (const [name, schema] of Object.entries(properties)) {
    setOwn(converted, name, swaggerSchema(schema) as JsonObject);
  }
  return converted as Record<string, JsonSchema>;
}
