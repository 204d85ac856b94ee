import {
  goJson,
  isJsonObject,
  JsonFloat,
  setOwn,
  type FieldError,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';
import { duplicateValue, invalidValue } from './problem.ts';
import { WalkPath } from './walk-path.ts';

/** Items of sets must be unique, and those of lists by key must have unique keys. */
export function validateUniqueItems(object: JsonObject, root: SchemaNode): FieldError[] {
  const errors: FieldError[] = [];
  if (root.below.hasListTypes) visit(object, root, { walkPath: new WalkPath(), errors });
  return errors;
}

interface Walk {
  readonly walkPath: WalkPath;
  readonly errors: FieldError[];
}

function visit(value: JsonValue | undefined, node: SchemaNode | undefined, walk: Walk): void {
  if (node?.below.hasListTypes !== true) return;
  if (Array.isArray(value)) visitList(value, node, walk);
  else if (isJsonObject(value)) visitObject(value, node, walk);
}

function visitList(list: readonly JsonValue[], node: SchemaNode, walk: Walk): void {
  const { walkPath } = walk;
  const { listKeys } = node;
  if (listKeys !== undefined) validateKeys(list, listKeys, walk);
  else if (node.schema['x-kubernetes-list-type'] === 'set') reportRepeated(list, walk, itself);
  if (node.items?.below.hasListTypes !== true) return;
  for (const [i, item] of list.entries()) {
    walkPath.enterIndex(i);
    visit(item, node.items, walk);
    walkPath.leave();
  }
}

function visitObject(object: JsonObject, node: SchemaNode, walk: Walk): void {
  const { walkPath } = walk;
  for (const key of Object.keys(object)) {
    if (node.properties.has(key)) walkPath.enterField(key);
    else walkPath.enterKey(key);
    visit(object[key], node.child(key), walk);
    walkPath.leave();
  }
}

function validateKeys(list: readonly JsonValue[], keys: readonly string[], walk: Walk): void {
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger !== -1) {
    const detail = 'must be an object for an array of list-type map';
    walk.errors.push(invalidValue(`${walk.walkPath.toString()}[${stranger}]`, list[stranger] ?? null, detail));
    return;
  }
  const [key] = keys;
  const isSingle = keys.length === 1 && key !== undefined;
  reportRepeated(list, walk, {
    identityOf: isSingle ? (item) => memberOf(item, key) : (item) => keysOf(item, keys),
    shown: (item) => keysOf(item, keys),
  });
}

/** The key fields of the item; omits those that it lacks. */
function keysOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const found: JsonObject = {};
  for (const key of keys) {
    const value = memberOf(item, key);
    if (value !== undefined) setOwn(found, key, value);
  }
  return found;
}

function memberOf(item: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
}

interface Identity {
  readonly identityOf: (item: JsonValue) => JsonValue | undefined;
  readonly shown: (item: JsonValue) => JsonValue;
}

const itself: Identity = { identityOf: (item) => item, shown: (item) => item };

/** Reports a repeated value once, at its second occurrence. */
function reportRepeated(list: readonly JsonValue[], { walkPath, errors }: Walk, { identityOf, shown }: Identity): void {
  if (list.length < 2) return;
  const seen = new KeySet();
  for (let i = 0; i < list.length; i++) {
    const item = list[i] ?? null;
    if (seen.add(identityOf(item)) === 1) errors.push(duplicateValue(`${walkPath.toString()}[${i}]`, shown(item)));
  }
}

/** Counts equal values in linear time. `1` and `1.0` differ, and an absent value is a value too. */
class KeySet {
  readonly #scalars = new Map<JsonValue | undefined, number>();
  /** Objects, lists and floats, which are objects here. */
  #texts: Map<string, number> | undefined;

  /** Returns how often the value was added before. */
  add(value: JsonValue | undefined): number {
    if (typeof value !== 'object' || value === null) return increment(this.#scalars, value);
    this.#texts ??= new Map();
    return increment(this.#texts, value instanceof JsonFloat ? `float ${value.value}` : goJson(value));
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}
