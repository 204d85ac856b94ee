/** The OpenAPI schema of one named type, as Kubernetes generates it from the same Go source. */
import type { JsonObject, JsonValue } from '@flotilla/kube';
import { kindDescription } from '../kind-descriptions.ts';
import { pointee, type GoType, type WellKnownType } from '../table/go-type.ts';
import { elementDefault, fieldDefault, type OpenApiDefault } from '../table/openapi-default.ts';
import type { Field, StructType } from '../table/struct-type.ts';

/** Documents of version 3 have `components.schemas`, those of version 2 `definitions`. */
export type OpenApiForm = 'v3' | 'v2';

/** The keywords of an OpenAPI schema that Kubernetes' built-in kinds need. */
export interface OpenApiSchema extends JsonObject {
  description?: string;
  type?: string;
  format?: string;
  $ref?: string;
}

/** Types with a named schema, which other schemas refer to. */
export type ModelType = StructType | WellKnownType;

export function modelSchema(type: ModelType, form: OpenApiForm): OpenApiSchema {
  const schema = type.kind === 'struct' ? structSchema(type, form) : wellKnownSchema(type, form);
  const description = assertedDescription(type.modelName);
  return description === undefined ? schema : { description, ...schema };
}

export function referredModels(type: ModelType): ModelType[] {
  if (type.kind === 'struct') return type.fields.flatMap((field) => modelsIn(field.type));
  return [];
}

function modelsIn(type: GoType): ModelType[] {
  const target = pointee(type);
  switch (target.kind) {
    case 'struct':
    case 'well-known':
      return [target];
    case 'list':
      return modelsIn(target.element);
    case 'map':
      return modelsIn(target.value);
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'bytes':
    case 'any':
      return [];
  }
}

function structSchema(type: StructType, form: OpenApiForm): OpenApiSchema {
  const description = type.isKind ? kindDescription(type.name) : undefined;
  const required = type.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = type.fields
    .map((field): [string, OpenApiSchema] => [field.name, fieldSchema(type, field, form)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(description !== undefined && { description }),
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(type.mapType !== undefined && { 'x-kubernetes-map-type': type.mapType }),
    ...(type.union !== undefined && { 'x-kubernetes-unions': [unionExtension(type.union)] }),
  };
}

/** Fields without a comment in Go, by type. Nothing stands beside their references, so nothing wraps them. */
const withoutComments: ReadonlyMap<string, readonly string[]> = new Map([
  ['io.k8s.api.networking.v1.IngressRule', ['http']],
  [
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    ['additionalItems', 'additionalProperties', 'example', 'externalDocs', 'items', 'not'],
  ],
]);

function fieldSchema({ modelName }: StructType, field: Field, form: OpenApiForm): OpenApiSchema {
  const description = assertedDescription(modelName, field.name);
  const schema = propertySchema(field, form);
  if (description !== undefined) return { description, ...schema };
  const [reference] = (schema['allOf'] ?? []) as OpenApiSchema[];
  const isBare = withoutComments.get(modelName)?.includes(field.name) === true;
  return isBare && reference !== undefined ? reference : schema;
}

function unionExtension({ discriminator, fields }: NonNullable<StructType['union']>): OpenApiSchema {
  return {
    ...(discriminator !== '' && { discriminator }),
    'fields-to-discriminateBy': { ...fields },
  };
}

function propertySchema(field: Field, form: OpenApiForm): OpenApiSchema {
  const { listType, listMapKeys, mapType, patchStrategies, patchMergeKey } = field;
  return {
    ...valueSchema(field.type, fieldDefault(field), form),
    ...(listMapKeys !== undefined && { 'x-kubernetes-list-map-keys': [...listMapKeys] }),
    ...(listType !== undefined && { 'x-kubernetes-list-type': listType }),
    ...(mapType !== undefined && { 'x-kubernetes-map-type': mapType }),
    ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
    ...(patchStrategies.length > 0 && { 'x-kubernetes-patch-strategy': patchStrategies.join(',') }),
  };
}

function valueSchema(type: GoType, defaultValue: OpenApiDefault | undefined, form: OpenApiForm): OpenApiSchema {
  const target = pointee(type);
  if (target.kind === 'struct' || target.kind === 'well-known') return reference(target, defaultValue, form);
  return { ...inlineSchema(target, form), ...withDefault(defaultValue, form) };
}

/** Version 2 has no defaults. Kubernetes' version 3 wraps a reference that has siblings. */
function reference(type: ModelType, defaultValue: OpenApiDefault | undefined, form: OpenApiForm): OpenApiSchema {
  if (form === 'v2') return { $ref: `#/definitions/${type.modelName}` };
  const target = { $ref: `#/components/schemas/${type.modelName}` };
  return { allOf: [target], ...withDefault(defaultValue, form) };
}

/** Elements of lists and maps have a bare reference unless they have a default. */
function elementSchema(type: GoType, form: OpenApiForm): OpenApiSchema {
  const target = pointee(type);
  const defaultValue = elementDefault(type);
  const isModel = target.kind === 'struct' || target.kind === 'well-known';
  if (isModel && defaultValue === undefined && form === 'v3')
    return { $ref: `#/components/schemas/${target.modelName}` };
  return valueSchema(type, defaultValue, form);
}

function withDefault(value: OpenApiDefault | undefined, form: OpenApiForm): { default?: JsonValue } {
  if (value === undefined || form === 'v2') return {};
  return { default: typeof value === 'object' ? {} : value };
}

function inlineSchema(type: GoType, form: OpenApiForm): OpenApiSchema {
  switch (type.kind) {
    case 'string':
      return { type: 'string', ...(type.enumValues !== undefined && { enum: [...type.enumValues] }) };
    case 'bool':
      return { type: 'boolean' };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: type.kind };
    case 'float64':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'list':
      return { type: 'array', items: elementSchema(type.element, form) };
    case 'map':
      return { type: 'object', additionalProperties: elementSchema(type.value, form) };
    case 'pointer':
      return inlineSchema(type.element, form);
    case 'any':
    case 'struct':
    case 'well-known':
      return {};
  }
}

function wellKnownSchema({ form: word }: WellKnownType, form: OpenApiForm): OpenApiSchema {
  switch (word) {
    case 'time':
    case 'micro-time':
      return { type: 'string', format: 'date-time' };
    case 'duration':
      return { type: 'string' };
    case 'quantity':
      return form === 'v2' ? { type: 'string' } : { oneOf: [{ type: 'string' }, { type: 'number' }] };
    case 'int-or-string':
      return form === 'v2'
        ? { type: 'string', format: 'int-or-string' }
        : { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string' };
    case 'raw':
      return { type: 'object' };
    case 'json':
    case 'schema-or-array':
    case 'schema-or-bool':
    case 'schema-or-strings':
      return {};
  }
}

/**
 * Kubernetes' own descriptions of metadata and creationTimestamp, by model and field. Its conformance tests look for
 * them in `kubectl explain`.
 */
const descriptions: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta':
    'ObjectMeta is metadata that all persisted resources must have, which includes all objects users must create.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta.creationTimestamp':
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time':
    'Time is a wrapper around time.Time which supports correct marshaling to YAML and JSON.  Wrappers are provided for many of the factory methods that the time package offers.',
};

function assertedDescription(modelName: string, field?: string): string | undefined {
  return descriptions[field === undefined ? modelName : `${modelName}.${field}`];
}
