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

/** By type. All servers of a process share the types of built-in kinds. */
const knownShapes = new WeakMap<MergeType, ShapeTree>();

/** Computes the fields, unless an object of the same shape was created before. Undefined is not remembered. */
export function createdFields(
  kind: ManagedKind,
  { type, value }: TypedObject,
  compute: () => JsonObject | undefined,
): JsonObject | undefined {
  let tree = knownShapes.get(type);
  if (tree === undefined) knownShapes.set(type, (tree = new ShapeTree()));
  const walk = new ShapeWalk(tree, kind.subresource);
  if (!walk.add(type, value)) return compute();
  const { shape, ownerUid } = walk;
  if (shape.known !== undefined) return withOwner(shape.known, ownerUid);
  const fields = compute();
  if (fields === undefined) return undefined;
  const path = ownerUid === undefined ? [] : ownerPath(fields, ownerUid);
  if (path !== undefined) shape.known = { fields, ownerUid, path };
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

/** A token of a shape: a key of the object or of a list item, or a mark between them. Marks are numbers, so that no key is like one. */
type Token = string | number;

const marks = { map: 1, endOfMap: 2, list: 3, endOfList: 4, owner: 5, named: 6, keyed: 7 } as const;

/** Shapes as paths of tokens, so that finding one allocates nothing. */
class Shape {
  /** Of objects whose shape ends here. */
  known: KnownFields | undefined;
  /** Most tokens are always followed by the same one. */
  #token: Token | undefined;
  #next: Shape | undefined;
  #others: Map<Token, Shape> | undefined;

  after(token: Token): Shape | undefined {
    return token === this.#token ? this.#next : this.#others?.get(token);
  }

  add(token: Token): Shape {
    const shape = new Shape();
    if (this.#next === undefined) {
      this.#token = token;
      this.#next = shape;
    } else (this.#others ??= new Map()).set(token, shape);
    return shape;
  }
}

/** Of all shapes of a type. Users choose keys, so the memory has a limit. */
const maxTreeBytes = 1024 * 1024;
const bytesOfShape = 100;
/** The length also limits the depth. */
const maxShapeLength = 2048;

class ShapeTree {
  #root = new Shape();
  #bytes = 0;

  /** Call before each walk. */
  get root(): Shape {
    if (this.#bytes > maxTreeBytes) {
      this.#root = new Shape();
      this.#bytes = 0;
    }
    return this.#root;
  }

  add(shape: Shape, token: Token): Shape {
    this.#bytes += bytesOfShape + lengthOf(token);
    return shape.add(ownToken(token));
  }
}

/** A text may be a slice of a request, all of which it would keep in memory. */
function ownToken(token: Token): Token {
  return typeof token === 'string' ? Buffer.from(token, 'utf16le').toString('utf16le') : token;
}

function lengthOf(token: Token): number {
  return typeof token === 'string' ? token.length : 1;
}

/**
 * Finds the shape of a new object: all that its owned fields depend on. These are its keys, the identity of list items, and which values
 * are zero, as in a blank object. A list-map by uid with one item, such as the owner references of most objects, counts without its uid:
 * beside no other item the uid does not change the order of fields.
 */
class ShapeWalk {
  readonly #tree: ShapeTree;
  shape: Shape;
  ownerUid: string | undefined;
  #length = 0;

  /** Begins with the endpoint, each of which drops other fields. */
  constructor(tree: ShapeTree, subresource = '') {
    this.#tree = tree;
    this.shape = tree.root;
    this.#step(subresource);
  }

  /** False if the shape is not known, or has become too long. */
  add(type: MergeType, value: JsonValue | undefined): boolean {
    if (value === undefined || this.#length > maxShapeLength) return false;
    const atom = atomOf(type, value);
    if (atom === 'map' && type.map?.relationship === 'separable' && isJsonObject(value)) {
      return this.#addMap(type.map, value);
    }
    if (atom === 'list' && type.list?.relationship === 'associative' && Array.isArray(value)) {
      return this.#addList(type.list, value);
    }
    this.#step(markOf(value));
    return true;
  }

  #addMap(map: MapMerge, object: JsonObject): boolean {
    this.#step(marks.map);
    for (const key in object) {
      const type = entryType(map, key);
      this.#step(key);
      if (type === undefined || !this.add(type, object[key])) return false;
    }
    this.#step(marks.endOfMap);
    return true;
  }

  #addList(list: ListMerge, items: readonly JsonValue[]): boolean {
    this.#step(marks.list);
    const isOwner = items.length === 1 && list.keys?.length === 1 && list.keys[0] === 'uid' && this.#addOwner(items[0]);
    for (const item of items) {
      if (!isOwner && !this.#addIdentity(list, item)) return false;
      if (!this.add(list.element(), item)) return false;
    }
    this.#step(marks.endOfList);
    return true;
  }

  #addIdentity(list: ListMerge, item: JsonValue): boolean {
    const name = nameIn(list, item);
    const element = name === undefined ? itemElement(list, item) : undefined;
    if (element !== undefined && typeof element !== 'string') return false;
    this.#step(element === undefined ? marks.named : marks.keyed);
    this.#step(element ?? name ?? '');
    return true;
  }

  #addOwner(item: JsonValue | undefined): boolean {
    const uid = isJsonObject(item) ? item['uid'] : undefined;
    if (typeof uid !== 'string' || !uuidPattern.test(uid)) return false;
    if (this.ownerUid !== undefined) return false;
    this.ownerUid = uid;
    this.#step(marks.owner);
    return true;
  }

  #step(token: Token): void {
    this.#length += lengthOf(token);
    this.shape = this.shape.after(token) ?? this.#tree.add(this.shape, token);
  }
}

/** The text that identifies the item, if its list has one key and the item that key. */
function nameIn({ keys }: ListMerge, item: JsonValue): string | undefined {
  const [key, ...others] = keys ?? [];
  if (key === undefined || others.length > 0 || !isJsonObject(item) || !Object.hasOwn(item, key)) return undefined;
  const name = item[key];
  return typeof name === 'string' ? name : undefined;
}

/** Of a value that is owned as a whole: which zero it is, or its sort. */
function markOf(value: JsonValue): number {
  if (typeof value === 'string') return value === '' ? 10 : 11;
  if (typeof value === 'boolean') return value ? 12 : 13;
  if (value === null) return 14;
  if (Array.isArray(value)) return value.length === 0 ? 15 : 16;
  if (isJsonObject(value)) return isEmptyMap(value) ? 17 : 18;
  return Number(value instanceof JsonFloat ? value.value : value) === 0 ? 19 : 20;
}
