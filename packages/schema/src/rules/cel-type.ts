/**
 * What is known about a schema before there is an object. These are the types of its nodes, and their maximum size and
 * number within the largest request.
 */
import { types, type CelType, type CostRange, type SizeOf } from '@flotilla/cel';
import { byteLength } from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from '../json-schema.ts';
import { escapeName, isReservedName } from './escape-name.ts';

export interface CelDeclaration {
  readonly type: CelType;
  /** Bytes of a string, items of a list, entries of a map; 0 for everything else. */
  readonly maxSize: number;
  /** Bytes of the shortest possible JSON. */
  readonly minJson: number;
  /** Fields of an object by their escaped names. */
  readonly fields?: ReadonlyMap<string, CelDeclaration>;
  /** Items of a list, values of a map. */
  readonly element?: CelDeclaration;
  /** Of a map. */
  readonly key?: CelDeclaration;
}

export const maxRequestBytes = 3 * 1024 * 1024;

const quoteBytes = 2;
const bracketBytes = 2;
const maxStringBytes = maxRequestBytes - quoteBytes;
const bytesOfCodePoint = 4;

const boolType = declared(types.bool, 4);
const doubleType = declared(types.double, 1);
const intType = declared(types.int, 1);
const keyType = declared(types.string, 2);
const durationType = declared(types.duration, 3, 32);
const dateType = declared(types.timestamp, 12, 12);
const dateTimeType = declared(types.timestamp, 21, 32);

/** Undefined if expressions cannot see the node. `name` is the name of its type, and the prefix of those below it. */
export function declarationOf(
  schema: JsonSchema,
  isResourceRoot: boolean,
  name = 'selfType',
): CelDeclaration | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return declared(types.dyn, 1, schema.maxLength === undefined ? maxStringBytes : maxBytes(schema.maxLength));
  }
  switch (schema.type ?? '') {
    case 'array':
      return listDeclaration(schema, name);
    case 'object':
      return valuesOf(schema) === undefined
        ? objectDeclaration(isResourceRoot ? withResourceFields(schema) : schema, name)
        : mapDeclaration(schema, name);
    case 'string':
      return stringDeclaration(schema);
    case 'boolean':
      return boolType;
    case 'number':
      return doubleType;
    case 'integer':
      return intType;
    default:
      return undefined;
  }
}

export function celTypeOf(schema: JsonSchema, isResourceRoot: boolean): CelType | undefined {
  return declarationOf(schema, isResourceRoot)?.type;
}

/**
 * Expressions can always read kind, apiVersion and metadata.name at the root of a resource, whatever the schema says.
 */
export function withResourceFields(schema: JsonSchema): JsonSchema {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const named = metadata?.properties;
  const isDeclared =
    kind?.type === 'string' &&
    apiVersion?.type === 'string' &&
    metadata?.type === 'object' &&
    named?.['name']?.type === 'string' &&
    named['generateName']?.type === 'string';
  return isDeclared ? schema : { ...schema, properties: { ...schema.properties, ...resourceFields } };
}

const stringSchema: JsonSchema = { type: 'string' };
const resourceFields: Readonly<Record<string, JsonSchema>> = {
  kind: stringSchema,
  apiVersion: stringSchema,
  metadata: { type: 'object', properties: { name: stringSchema, generateName: stringSchema } },
};

/** Returns sizes for the cost estimator. Every path starts with the variable. */
export function sizesIn(declaration: CelDeclaration): SizeOf {
  return (path): CostRange | undefined => {
    if (path.length === 0) return undefined;
    let node: CelDeclaration | undefined = declaration;
    for (let i = 1; i < path.length && node !== undefined; i++) node = childOf(node, path[i] ?? '');
    return node && { min: 0, max: node.maxSize };
  };
}

/** How often a value can occur in one request, however it is nested: commas separate values. */
export function maxOccurrences({ minJson }: CelDeclaration): number {
  return Math.floor(maxRequestBytes / (minJson + 1));
}

/** The maximum number of children of one property or element. Undefined if there is no limit. */
export function maxChildren(schema: JsonSchema): number | undefined {
  if (schema.type === 'array') return atLeastZero(schema.maxItems);
  if (schema.type === 'object' && schema.additionalProperties !== undefined) return atLeastZero(schema.maxProperties);
  return 1;
}

function childOf(node: CelDeclaration, step: string): CelDeclaration | undefined {
  if (step === '@items' || step === '@values') return node.element;
  return step === '@keys' ? node.key : node.fields?.get(step);
}

function listDeclaration(schema: JsonSchema, name: string): CelDeclaration | undefined {
  const items = itemsOf(schema);
  const element = items && declarationOf(items, isEmbedded(items), `${name}.@idx`);
  if (element === undefined) return undefined;
  const maxSize = atLeastZero(schema.maxItems) ?? howManyFit(element.minJson + 1);
  return { ...declared(types.list(element.type), bracketBytes, maxSize), element };
}

function mapDeclaration(schema: JsonSchema, name: string): CelDeclaration | undefined {
  const values = valuesOf(schema);
  const element = values && declarationOf(values, isEmbedded(values), `${name}.@elem`);
  if (element === undefined) return undefined;
  // The quotes of an empty key, a colon, a comma, and two more bytes so that keys can differ.
  const maxSize = atLeastZero(schema.maxProperties) ?? howManyFit(element.minJson + 6);
  return { ...declared(types.map(types.string, element.type), bracketBytes, maxSize), element, key: keyType };
}

function objectDeclaration({ properties = {}, required = [] }: JsonSchema, name: string): CelDeclaration {
  const requiredNames = new Set(required);
  const fields = new Map<string, CelDeclaration>();
  let minJson = bracketBytes;
  for (const [property, schema] of Object.entries(properties)) {
    const escaped = escapeName(property);
    const declaration = declarationOf(schema, isEmbedded(schema), `${name}.${escaped}`);
    if (declaration === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, declaration);
    // The server sets defaults, so they need not be in the request.
    const mustBeSent = requiredNames.has(property) && (schema.default ?? null) === null;
    if (mustBeSent) minJson += byteLength(property) + declaration.minJson + 4;
  }
  const type = types.object(name, (field) => fields.get(isReservedName(field) ? `__${field}__` : field)?.type);
  return { ...declared(type, minJson), fields };
}

function stringDeclaration(schema: JsonSchema): CelDeclaration {
  switch (schema.format ?? '') {
    case 'byte':
      return declared(types.bytes, quoteBytes, atLeastZero(schema.maxLength) ?? maxStringBytes);
    case 'duration':
      return durationType;
    case 'date':
      return dateType;
    case 'date-time':
      return dateTimeType;
    default:
      return declared(types.string, quoteBytes, maxStringSize(schema));
  }
}

function maxStringSize({ maxLength, enum: choices = [] }: JsonSchema): number {
  if (maxLength !== undefined) return maxBytes(maxLength);
  if (choices.length === 0) return maxStringBytes;
  return choices.reduce<number>((max, choice) => Math.max(max, typeof choice === 'string' ? byteLength(choice) : 0), 0);
}

function declared(type: CelType, minJson: number, maxSize = 0): CelDeclaration {
  return { type, minJson, maxSize };
}

function isEmbedded(schema: JsonSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function howManyFit(bytes: number): number {
  return Math.floor((maxRequestBytes - bracketBytes) / bytes);
}

function maxBytes(maxLength: number): number {
  return Math.max(maxLength, 0) * bytesOfCodePoint;
}

function atLeastZero(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(limit, 0);
}
