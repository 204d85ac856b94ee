import { schemasOf, structType, typeOfKind } from '@flotilla/builtins';
import { types, type CelType } from '@flotilla/cel';
import { isJsonObject, textOf, type GroupVersionKind, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { Resource } from '../../../resources/resource.ts';

type FindModel = (name: string) => JsonObject | undefined;

/** The type of a served kind by its OpenAPI schema. Undefined if it has none. */
export function typeOfServedKind(resource: Resource): CelType | undefined {
  const { group, version, kind } = resource;
  const builtin = builtinModels({ group, version, kind });
  if (builtin) return typeOf({ $ref: builtin.root }, (name) => builtin.models[name], kind);
  const { published } = resource;
  const root = published?.modelOf(kind);
  if (!published || root === undefined) return undefined;
  const models = published.schemas('v3');
  const meta = schemasOf([structType('meta/v1', 'ObjectMeta')], modelOptions);
  return typeOf({ $ref: root }, (name) => models[name] ?? meta[name], kind);
}

const modelOptions = { form: 'v3', sharedBy: [] } as const;

interface Models {
  readonly root: string;
  readonly models: Readonly<Record<string, JsonObject>>;
}

function builtinModels(gvk: GroupVersionKind): Models | undefined {
  const type = typeOfKind(gvk);
  return type && { root: type.modelName, models: schemasOf([type], modelOptions) };
}

/** Undefined if expressions cannot see such values. Fields are read on demand, because types may be recursive. */
function typeOf(schema: JsonObject, find: FindModel, name: string): CelType | undefined {
  const reference = referenceIn(schema);
  if (reference !== undefined) {
    const model = find(reference);
    return model && typeOf(model, find, name);
  }
  if (schema['x-kubernetes-int-or-string'] === true || schema['format'] === 'int-or-string') return types.dyn;
  if (schema['type'] === 'array') return wrapped(schema['items'], find, `${name}.@idx`, types.list);
  if (schema['type'] === 'object') return objectOf(schema, find, name);
  return (
    scalarTypes.get(`${textOf(schema['type'])} ${textOf(schema['format'])}`) ?? scalarTypes.get(textOf(schema['type']))
  );
}

/** By type, or by type and format. */
const scalarTypes: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['string', types.string],
  ['string byte', types.bytes],
  ['string duration', types.duration],
  ['string date', types.timestamp],
  ['string date-time', types.timestamp],
  ['boolean', types.bool],
  ['number', types.double],
  ['integer', types.int],
]);

function objectOf(schema: JsonObject, find: FindModel, name: string): CelType | undefined {
  const { properties, additionalProperties } = schema;
  if (isJsonObject(additionalProperties)) {
    return wrapped(additionalProperties, find, `${name}.@elem`, (value) => types.map(types.string, value));
  }
  return types.object(name, (field) => {
    const property = isJsonObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
    return isJsonObject(property) ? typeOf(property, find, `${name}.${field}`) : undefined;
  });
}

function wrapped(
  part: JsonValue | undefined,
  find: FindModel,
  name: string,
  wrap: (type: CelType) => CelType,
): CelType | undefined {
  const type = isJsonObject(part) ? typeOf(part, find, name) : undefined;
  return type && wrap(type);
}

/** A reference with a default is wrapped in `allOf`. */
function referenceIn({ $ref, allOf }: JsonObject): string | undefined {
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  const [only] = Array.isArray(allOf) ? allOf : [];
  return isJsonObject(only) ? referenceIn(only) : undefined;
}
