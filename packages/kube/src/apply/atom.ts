/** Which of a type's atoms a value is. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { MapMerge, MergeType } from './merge-type.ts';
import { isScalar } from './value-order.ts';

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
