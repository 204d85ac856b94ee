/** The owned fields of new objects, which mostly have the shape of one before: of two writes in a fleet, one creates an event. */
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '../json/value.ts';
import { itemElement } from './list-item.ts';
import type { ManagedKind } from './managed-kind.ts';
import { atomOf, entryType, isEmptyMap, type ListMerge, type MapMerge, type MergeType } from './merge-type.ts';
import { keyElement } from './path-element.ts';
import type { TypedObject } from './typed-object.ts';

/** Fields that an object of some shape had. */
interface KnownFields {
  readonly fields: JsonObject;
  /** Of the object that they were computed from. */
  readonly ownerUid: string | undefined;
  /** The keys to the one that has this uid. */
  readonly path: readonly string[];
}

/** By type, then by endpoint and shape. All servers of a process share the types of built-in kinds. */
const knownFields = new WeakMap<MergeType, Map<string, KnownFields>>();

const maxShapes = 512;
const maxShapeLength = 2048;

/** Computes the fields, unless an object of the same shape was created before. Undefined is not remembered. */
export function createdFields(
  kind: ManagedKind,
  { type, value }: TypedObject,
  compute: () => JsonObject | undefined,
): JsonObject | undefined {
  const shape = new Shape(kind.subresource);
  if (!shape.add(type, value)) return compute();
  let ofType = knownFields.get(type);
  if (ofType === undefined) knownFields.set(type, (ofType = new Map<string, KnownFields>()));
  const known = ofType.get(shape.text);
  if (known !== undefined) return withOwner(known, shape.ownerUid);
  const fields = compute();
  if (fields === undefined) return undefined;
  const { ownerUid } = shape;
  const path = ownerUid === undefined ? [] : ownerPath(fields, ownerUid);
  if (path === undefined) return fields;
  if (ofType.size >= maxShapes) ofType.clear();
  ofType.set(shape.text, { fields, ownerUid, path });
  return fields;
}

/** Undefined if the uid is elsewhere, too: in a key of a map, which is the same in every object of the shape. */
function ownerPath(fields: JsonObject, uid: string): string[] | undefined {
  const [path, another] = pathsTo(fields, uid);
  return another === undefined && path?.at(-1) === keyElement([['uid', uid]]) ? path : undefined;
}

function withOwner({ fields, ownerUid, path }: KnownFields, uid: string | undefined): JsonObject {
  if (uid === ownerUid || uid === undefined || ownerUid === undefined) return fields;
  return withKey(fields, path, 0, (key) => key.replace(ownerUid, uid));
}

/** The paths to all keys that contain the text. */
function pathsTo(fields: JsonObject, text: string): string[][] {
  return Object.entries(fields).flatMap(([key, child]) => {
    const below = isJsonObject(child) ? pathsTo(child, text).map((path) => [key, ...path]) : [];
    return key.includes(text) ? [[key], ...below] : below;
  });
}

/** Copies what is on the path, and changes the last key of it. */
function withKey(
  fields: JsonObject,
  path: readonly string[],
  depth: number,
  changed: (key: string) => string,
): JsonObject {
  const isLast = depth === path.length - 1;
  const copy: JsonObject = {};
  for (const key in fields) {
    const child = fields[key];
    if (key !== path[depth]) copy[key] = child;
    else if (isLast) copy[changed(key)] = child;
    else copy[key] = withKey(child as JsonObject, path, depth + 1, changed);
  }
  return copy;
}

/** The uid of an owner is the only part of a field set that is different in each object. */
const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * All that the owned fields of a new object depend on: its keys, the identity of list items, and which values are zero, as in a blank
 * object. A list-map by uid with one item, such as the owner references of most objects, counts without its uid: beside no other item
 * the uid does not change the order of fields.
 */
class Shape {
  text: string;
  ownerUid: string | undefined;

  /** Begins with the endpoint, each of which drops other fields. */
  constructor(subresource = '') {
    this.text = subresource;
  }

  /** False if the shape is not known, or its text has become too long. The length also limits the depth. */
  add(type: MergeType, value: JsonValue | undefined): boolean {
    if (value === undefined || this.text.length > maxShapeLength) return false;
    const atom = atomOf(type, value);
    if (atom === 'map' && type.map?.relationship === 'separable' && isJsonObject(value)) {
      return this.#addMap(type.map, value);
    }
    if (atom === 'list' && type.list?.relationship === 'associative' && Array.isArray(value)) {
      return this.#addList(type.list, value);
    }
    this.text += letterOf(value);
    return true;
  }

  #addMap(map: MapMerge, object: JsonObject): boolean {
    this.text += '{';
    for (const key of Object.keys(object)) {
      const type = entryType(map, key);
      // With its length no key can look like the end of another.
      this.text += `${key.length}:${key}`;
      if (type === undefined || !this.add(type, object[key])) return false;
    }
    this.text += '}';
    return true;
  }

  #addList(list: ListMerge, items: readonly JsonValue[]): boolean {
    this.text += '[';
    const isOwner = items.length === 1 && list.keys?.length === 1 && list.keys[0] === 'uid' && this.#addOwner(items[0]);
    for (const item of items) {
      const element = itemElement(list, item);
      if (typeof element !== 'string') return false;
      if (!isOwner) this.text += `${element.length}:${element}`;
      if (!this.add(list.element(), item)) return false;
    }
    this.text += ']';
    return true;
  }

  #addOwner(item: JsonValue | undefined): boolean {
    const uid = isJsonObject(item) ? item['uid'] : undefined;
    if (typeof uid !== 'string' || !uuidPattern.test(uid)) return false;
    if (this.ownerUid !== undefined) return false;
    this.ownerUid = uid;
    this.text += 'u';
    return true;
  }
}

/** Of a value that is owned as a whole: which zero it is, or its sort. */
function letterOf(value: JsonValue): string {
  if (typeof value === 'string') return value === '' ? 'S' : 's';
  if (typeof value === 'boolean') return value ? 'b' : 'B';
  if (value === null) return 'N';
  if (Array.isArray(value)) return value.length === 0 ? 'L' : 'l';
  if (isJsonObject(value)) return isEmptyMap(value) ? 'M' : 'm';
  return Number(value instanceof JsonFloat ? value.value : value) === 0 ? '0' : '1';
}
