import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { isScalar } from './value-order.ts';

/**
 * How values of a type are owned and merged by server-side apply: the "atoms" of structured merge diff. A type may be
 * several atoms at once (untyped JSON is any of the three). Both the built-in kinds' table and structural schemas give this
 * form; references are functions because types recurse (JSONSchemaProps).
 */
export interface MergeType {
  readonly scalar?: 'numeric' | 'string' | 'boolean' | 'untyped';
  readonly list?: ListMerge;
  readonly map?: MapMerge;
}

export interface ListMerge {
  readonly relationship: 'atomic' | 'associative';
  /** Associative with keys: a list-map; associative without: a set. */
  readonly keys?: readonly string[];
  readonly element: () => MergeType;
}

export interface MapMerge {
  readonly relationship: 'separable' | 'atomic';
  /** Declared struct fields. */
  readonly field: (name: string) => MergeField | undefined;
  /** Type of entries that are no declared field; undefined: unknown fields are errors. */
  readonly element?: () => MergeType;
}

export interface MergeField {
  readonly type: () => MergeType;
  /**
   * Used when a list-map's key field is missing in an item. Fields that Go always writes have their zero value as default:
   * a container without a name is found under `name=""`.
   */
  readonly default?: string | number | boolean;
}

const noField = (): undefined => undefined;

/** JSON that nobody looks into: owned and replaced as a whole (RawExtension, JSON). */
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

/** The atom that the value's shape picks; undefined when the type has no such atom, and for null. */
export function deducedAtom(type: MergeType, value: JsonValue): Atom | undefined {
  if (isScalar(value)) return type.scalar === undefined ? undefined : 'scalar';
  if (Array.isArray(value)) return type.list === undefined ? undefined : 'list';
  if (isJsonObject(value)) return type.map === undefined ? undefined : 'map';
  return undefined;
}

/** How a value that is none of the type's atoms is read: as the first that the type has. */
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

/** An entry of a map that came from a user: `__proto__` and `constructor` are keys like any other. */
export function entryOf(map: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export function isEmptyMap(map: JsonObject): boolean {
  for (const key of Object.keys(map)) if (map[key] !== undefined) return false;
  return true;
}

/** The type of a map's entry: a declared field's, or that of all other entries; undefined where none may be. */
export function entryType(map: MapMerge, key: string): MergeType | undefined {
  const field = map.field(key);
  return field === undefined ? map.element?.() : field.type();
}
