/** Builds schemas: `s.object('What it is.', { port: s.string('Where it lies.') })`. */
import { setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { JsonSchema, ValidationRule } from '../json-schema.ts';
import type { Fields, ObjectOf, Presence, TypedSchema } from './typed-schema.ts';

interface Ruled {
  /** Rules in CEL. */
  readonly rules?: readonly ValidationRule[];
}

interface StringFacets extends Ruled {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

interface NumberFacets extends Ruled {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly format?: string;
}

interface ListFacets extends Ruled {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Server-side apply replaces it as a whole. */
  readonly atomic?: boolean;
}

interface MapFacets extends Ruled {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly atomic?: boolean;
}

/** T may list the values that our own code writes, although the schema accepts others. */
function string<T extends string = string>(description: string, facets: StringFacets = {}): TypedSchema<T> {
  return required({ type: 'string', description, ...plain(facets) });
}

function integer(description: string, facets: NumberFacets = {}): TypedSchema<number> {
  return required({ type: 'integer', description, ...plain(facets) });
}

function number(description: string, facets: NumberFacets = {}): TypedSchema<number> {
  return required({ type: 'number', description, ...plain(facets) });
}

function boolean(description: string): TypedSchema<boolean> {
  return required({ type: 'boolean', description });
}

function oneOf<const V extends string>(values: readonly V[], description: string, facets: Ruled = {}): TypedSchema<V> {
  return required({ type: 'string', description, enum: values, ...plain(facets) });
}

/** `2` or `25%`. */
function intOrString(
  description: string,
  facets: Ruled & { readonly pattern?: string } = {},
): TypedSchema<number | string> {
  const anyOf = [{ type: 'integer' }, { type: 'string' }];
  return required({ description, anyOf, 'x-kubernetes-int-or-string': true, ...plain(facets) });
}

function dateTime(description: string): TypedSchema<string> {
  return string(description, { format: 'date-time' });
}

function object<F extends Fields>(description: string, fields: F, facets: MapFacets = {}): TypedSchema<ObjectOf<F>> {
  const properties: JsonObject = {};
  for (const [name, { json }] of Object.entries(fields)) setOwn(properties, name, json as JsonObject);
  const needed = Object.keys(fields).filter((name) => fields[name]?.presence === 'required');
  return required({
    type: 'object',
    description,
    ...(needed.length > 0 && { required: needed }),
    properties: properties as Record<string, JsonSchema>,
    ...mapFacets(facets),
  });
}

function map<T>(
  values: TypedSchema<T, Presence>,
  description: string,
  facets: MapFacets = {},
): TypedSchema<Record<string, T>> {
  return required({ type: 'object', description, additionalProperties: values.json, ...mapFacets(facets) });
}

function list<T>(items: TypedSchema<T, Presence>, description: string, facets: ListFacets = {}): TypedSchema<T[]> {
  const { atomic, ...rest } = facets;
  const listType = atomic === true && { 'x-kubernetes-list-type': 'atomic' };
  return required({ type: 'array', description, items: items.json, ...plain(rest), ...listType });
}

/** A list of unique values, which field managers can own one by one. */
function set<T>(items: TypedSchema<T, Presence>, description: string, facets: ListFacets = {}): TypedSchema<T[]> {
  return required({ ...list(items, description, facets).json, 'x-kubernetes-list-type': 'set' });
}

/** A list whose items are identified by keys, so that field managers can own single items. */
function listByKey<T>(
  keys: (string & keyof T) | readonly (string & keyof T)[],
  items: TypedSchema<T, Presence>,
  description: string,
  facets: ListFacets = {},
): TypedSchema<T[]> {
  return required({
    ...list(items, description, facets).json,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': typeof keys === 'string' ? [keys] : keys,
  });
}

/** Any JSON object, kept as it is. */
function anyFields(description: string): TypedSchema<JsonObject> {
  return required({ type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true });
}

/** Any JSON value, kept as it is. */
function anything(description: string): TypedSchema<JsonValue> {
  return required({ description, 'x-kubernetes-preserve-unknown-fields': true });
}

/** Any Kubernetes object, kept whole. */
function anyObject(description: string): TypedSchema<JsonObject> {
  return required({
    type: 'object',
    description,
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  });
}

function optional<T>(schema: TypedSchema<T, Presence>): TypedSchema<T, 'optional'> {
  return { json: schema.json, presence: 'optional' };
}

function nullable<T>(schema: TypedSchema<T, Presence>): TypedSchema<T | null, 'optional'> {
  return { json: { ...schema.json, nullable: true }, presence: 'optional' };
}

/** Required although a default sets it first: for definitions that must equal those of another system. */
function requiredWithDefault<T>(schema: TypedSchema<T, Presence>, value: T): TypedSchema<T> {
  return required(withDefault(schema, value).json);
}

function withDefault<T>(schema: TypedSchema<T, Presence>, value: T): TypedSchema<T, 'defaulted'> {
  return { json: { ...schema.json, default: value as JsonValue }, presence: 'defaulted' };
}

/** An object that may be omitted, because each of its fields has a default. */
function fromDefaults<T>(schema: TypedSchema<T, Presence>): TypedSchema<T, 'defaulted'> {
  return { json: { ...schema.json, default: {} }, presence: 'defaulted' };
}

function required<T>(json: JsonSchema): TypedSchema<T> {
  return { json, presence: 'required' };
}

function mapFacets({ atomic, ...facets }: MapFacets): JsonSchema {
  return { ...plain(facets), ...(atomic === true && { 'x-kubernetes-map-type': 'atomic' }) };
}

function plain({ rules, ...facets }: Ruled & JsonSchema): JsonSchema {
  return { ...facets, ...(rules && { 'x-kubernetes-validations': rules }) };
}

export const s = {
  string,
  integer,
  number,
  boolean,
  oneOf,
  intOrString,
  dateTime,
  object,
  map,
  list,
  set,
  listByKey,
  anyFields,
  anything,
  anyObject,
  optional,
  nullable,
  withDefault,
  requiredWithDefault,
  fromDefaults,
} as const;
