import { setOwn, type JsonObject } from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from '../json-schema.ts';
import { swaggerSchema } from './swagger-schema.ts';

/** Documents of version 3 have `components.schemas`, those of version 2 `definitions`. */
export type OpenApiForm = 'v3' | 'v2';

/** A definition's schema as OpenAPI documents show it, with the fields of every object. */
export function publishedSchema(schema: JsonSchema | undefined, form: OpenApiForm): JsonObject {
  // Clients refuse fields that are not listed, so an open object lists none.
  const isOpen = form === 'v2' && schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (!schema || isOpen) return { type: 'object' };
  const root = withEmbeddedFields(form === 'v2' ? swaggerSchema(schema) : schema, form);
  return { ...root, properties: withObjectFields(root, typeFields, form) };
}

export interface PublishedList {
  readonly model: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
}

export function publishedListSchema({ model, kind, listKind, plural }: PublishedList, form: OpenApiForm): JsonObject {
  const description = `List of ${plural}. More info: ${conventions}`;
  const items = { description, type: 'array', items: { $ref: `${placeOf(form)}${model}` } };
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeFields,
      items,
      metadata: referTo('ListMeta', `Standard list metadata. More info: ${conventions}#types-kinds`, form),
    },
  };
}

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** Kubernetes' own descriptions: `kubectl explain` prints them, and its conformance tests look for them. */
const typeFields: JsonObject = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};

const embeddedTypeFields: JsonObject = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};

function objectMeta(form: OpenApiForm): JsonObject {
  return referTo('ObjectMeta', `Standard object's metadata. More info: ${conventions}#metadata`, form);
}

/** Version 2 allows a description beside a reference, version 3 does not. */
function referTo(model: string, description: string, form: OpenApiForm): JsonObject {
  const reference = { $ref: `${placeOf(form)}io.k8s.apimachinery.pkg.apis.meta.v1.${model}` };
  return form === 'v2' ? { description, ...reference } : { description, allOf: [reference] };
}

function placeOf(form: OpenApiForm): string {
  return form === 'v2' ? '#/definitions/' : '#/components/schemas/';
}

/** Adds the fields of embedded resources, and the types of int-or-strings. */
function withEmbeddedFields(schema: JsonSchema, form: OpenApiForm): JsonObject {
  const { properties, items: _items, additionalProperties: _values, ...rest } = schema;
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const published: JsonObject = {
    ...(rest as JsonObject),
    ...(form === 'v3' && numberOrString(schema)),
    ...(items && { items: withEmbeddedFields(items, form) }),
    ...(properties && { properties: eachProperty(properties, form) }),
  };
  if (values) published['additionalProperties'] = withEmbeddedFields(values, form);
  else if (schema.additionalProperties !== undefined) {
    published['additionalProperties'] = schema.additionalProperties === true;
  }
  return isEmbedded(schema, form) ? { ...published, ...embeddedFields(published, form) } : published;
}

function eachProperty(properties: Readonly<Record<string, JsonSchema>>, form: OpenApiForm): JsonObject {
  const published: JsonObject = {};
  for (const [name, schema] of Object.entries(properties)) setOwn(published, name, withEmbeddedFields(schema, form));
  return published;
}

function isEmbedded(schema: JsonSchema, form: OpenApiForm): boolean {
  const isOpen = form === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true;
  return schema['x-kubernetes-embedded-resource'] === true && !isOpen;
}

function embeddedFields(schema: JsonObject, form: OpenApiForm): JsonObject {
  const names = [...((schema['required'] as string[] | undefined) ?? [])];
  for (const name of ['kind', 'apiVersion']) if (!names.includes(name)) names.push(name);
  return { required: names, properties: withObjectFields(schema, embeddedTypeFields, form) };
}

const integerOrString: readonly JsonSchema[] = [{ type: 'integer' }, { type: 'string' }];

/** A definition may contain it already, in one of the two allowed forms. */
function numberOrString(schema: JsonSchema): JsonObject | undefined {
  const { anyOf, allOf } = schema;
  if (schema['x-kubernetes-int-or-string'] !== true) return undefined;
  if (saysBoth(anyOf) || saysBoth(allOf?.[0]?.anyOf)) return undefined;
  const both = integerOrString as JsonObject[];
  return anyOf ? { allOf: [{ anyOf: both }, ...((allOf ?? []) as JsonObject[])] } : { anyOf: both };
}

function saysBoth(branches: readonly JsonSchema[] | undefined): boolean {
  return branches?.length === 2 && branches[0]?.type === 'integer' && branches[1]?.type === 'string';
}

/** The fields of every object. */
export function objectFields(form: OpenApiForm): JsonObject {
  return { ...typeFields, metadata: objectMeta(form) };
}

function withObjectFields({ properties }: JsonObject, types: JsonObject, form: OpenApiForm): JsonObject {
  return sorted({ ...(properties as JsonObject | undefined), ...types, metadata: objectMeta(form) });
}

function sorted(properties: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const name of Object.keys(properties).sort()) setOwn(ordered, name, properties[name] ?? null);
  return ordered;
}
