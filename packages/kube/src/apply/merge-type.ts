import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { isScalar } from './value-order.ts';

/**
 * How server-side apply owns and merges values of a type: the atoms of structured merge diff. A type may have
 * several atoms; untyped JSON has all three. The table of built-in kinds and structural schemas both produce this
 * form. References are functions because types are recursive (JSONSchemaProps).
 */
export interface MergeType {
  readonly scalar?: 'numeric' | 'string' | 'boolean' | 'untyped';
  readonly list?: ListMerge;
  readonly map?: MapMerge;
}

export interface ListMerge {
  readonly relationship: 'atomic' | 'associative';
  /** With keys an associative list is a list-map, without keys a set. */
  readonly keys?: readonly string[];
  readonly element: () => MergeType;
}

export interface MapMerge {
  readonly relationship: 'separable' | 'atomic';
  /** Declared struct fields. */
  readonly field: (name: string) => MergeField | undefined;
  /** Type of undeclared entries. Absent: unknown fields are errors. */
  readonly element?: () => MergeType;
}

export interface MergeField {
  readonly type: () => MergeType;
  /**
   * Used if an item of a list-map has no key field. Fields that Go always encodes default to their zero value: a
   * container without a name has `name=""`.
   */
  readonly default?: string | number | boolean;
}

const noField = (): undefined => undefined;

/** Opaque JSON, owned and replaced as a whole (RawExtension, JSON). */
export const untypedAtomic: MergeType = {
  scalar: 'untyped',
  list: { relationship: 'atomic', element: () => untypedAtomic },
  map: { relationship: 'atomic', field: noField, element: () => untypedAtomic },
};

/** JSON without a schema, owned field by field: maps are merged, lists replaced. */
export const deduced: MergeType = {
  scalar: 'untyped',
  list: { relationship: 'atomic', element: () => untypedAtomic },
  map: { relationship: 'separable', field: noField, element: () => deduced },
};

export type Atom = 'map' | 'scalar' | 'list';

/** The atom that fits the value's shape; undefined for null, or if the type has no such atom. */
export function deducedAtom(type: MergeType, value: JsonValue): Atom | undefined {
  if (isScalar(value)) return type.scalar === undefined ? undefined : 'scalar';
  if (Array.isArray(value)) return type.list === undefined ? undefined : 'list';
  if (isJsonObject(value)) return type.map === undefined ? undefined : 'map';
  return undefined;
}

/** The atom for values that fit none of the type's atoms. */
export function firstAtom(type: MergeType): Atom {
  if (type.map !== undefined) return 'map';
  return type.scalar === undefined ? 'list' : 'scalar';
}

export function atomOf(type: MergeType, value: JsonValue): Atom {
  return deducedAtom(type, value) ?? firstAtom(type);
}

export function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

const noEntries: JsonObject = {};

export function mapIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : noEntries;
}

/** For maps from users: `__proto__` and `constructor` are ordinary keys. */
export function entryOf(map: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export function isEmptyMap(map: JsonObject): boolean {
  for (const _key in map) return false;
  return true;
}

/** The type of a map entry; undefined if the entry is not allowed. */
export function entryType(map: MapMerge, key: string): MergeType | undefined {
  const field = map.field(key);
  return field === undefined ? map.element?.() : field.type();
}
