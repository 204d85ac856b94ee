/** The owned fields of new objects, which mostly have the shape of one before: of two writes in a fleet, one creates an event. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { ManagedKind } from './managed-kind.ts';

/** By endpoint, then by shape. */
const knownFields = new WeakMap<ManagedKind, Map<string, JsonObject>>();

const maxShapes = 256;
const maxShapeLength = 2048;

/** Computes the fields, unless an object of the same shape was created before. Undefined is not remembered. */
export function createdFields(
  kind: ManagedKind,
  object: JsonObject,
  compute: () => JsonObject | undefined,
): JsonObject | undefined {
  const shape = shapeOf(object);
  if (shape === undefined) return compute();
  let fields = knownFields.get(kind);
  if (fields === undefined) knownFields.set(kind, (fields = new Map<string, JsonObject>()));
  const known = fields.get(shape);
  if (known !== undefined) return known;
  const computed = compute();
  if (computed === undefined) return undefined;
  if (fields.size >= maxShapes) fields.clear();
  fields.set(shape, computed);
  return computed;
}

/**
 * All that the owned fields of a new object depend on: its keys, and which values are zero, as in a blank object. Undefined for
 * objects with lists, where they depend on values too, and for large ones.
 */
export function shapeOf(object: JsonObject): string | undefined {
  const shape = new Shape();
  return shape.add(object) ? shape.text : undefined;
}

class Shape {
  text = '';

  /** False if the value has a list, or the text has become too long. The length also limits the depth. */
  add(value: JsonValue | undefined): boolean {
    if (value === undefined || Array.isArray(value) || this.text.length > maxShapeLength) return false;
    if (!isJsonObject(value)) {
      this.text += isZero(value) ? '0' : '1';
      return true;
    }
    this.text += '{';
    for (const key of Object.keys(value)) {
      // With its length no key can look like the end of another.
      this.text += `${key.length}:${key}`;
      if (!this.add(value[key])) return false;
    }
    this.text += '}';
    return true;
  }
}

function isZero(value: JsonValue): boolean {
  return value === null || value === '' || value === 0 || value === false;
}
