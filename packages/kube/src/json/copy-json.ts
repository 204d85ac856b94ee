import { compareBytes } from '../go/format.ts';
import { setOwn } from './untrusted.ts';
import { JsonFloat, SpelledNumber, withoutSpelling, type JsonObject, type JsonValue } from './value.ts';

type Container = JsonObject | JsonValue[];

/** A deep copy. Iterative, because users control the depth of JSON. */
export function copyJson(value: JsonValue): JsonValue {
  if (!isContainer(value)) return value;
  const root = emptyLike(value);
  const pending: [source: Container, copy: Container][] = [[value, root]];
  const copyShallowly = (child: JsonValue): JsonValue => {
    if (!isContainer(child)) return child;
    const copy = emptyLike(child);
    if (!isEmpty(child)) pending.push([child, copy]); // the leaves of managed fields are empty
    return copy;
  };
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [source, copy] = pair;
    if (Array.isArray(source)) {
      for (const child of source) (copy as JsonValue[]).push(copyShallowly(child));
    } else {
      for (const key of Object.keys(source)) {
        const child = source[key];
        if (child !== undefined) setOwn(copy as JsonObject, key, copyShallowly(child));
      }
    }
  }
  return root;
}

function isContainer(value: JsonValue): value is Container {
  return typeof value === 'object' && value !== null && !(value instanceof JsonFloat);
}

function emptyLike(value: Container): Container {
  return Array.isArray(value) ? [] : {};
}

function isEmpty(container: Container): boolean {
  if (Array.isArray(container)) return container.length === 0;
  for (const _ in container) return false;
  return true;
}

/**
 * A deep copy with sorted keys, as Go prints maps. Numbers lose their original text. Iterative, because users
 * control the depth of JSON.
 */
export function sortedCopy(value: JsonValue): JsonValue {
  if (!isContainer(value)) return scalarOf(value);
  const root = emptyLike(value);
  const pending: [source: Container, copy: Container][] = [[value, root]];
  const begun = (child: JsonValue): JsonValue => {
    if (!isContainer(child)) return scalarOf(child);
    const copy = emptyLike(child);
    pending.push([child, copy]);
    return copy;
  };
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [source, copy] = pair;
    if (Array.isArray(source)) {
      for (const child of source) (copy as JsonValue[]).push(begun(child));
    } else {
      for (const key of sortedKeys(source)) {
        const child = source[key];
        if (child !== undefined) setOwn(copy as JsonObject, key, begun(child));
      }
    }
  }
  return root;
}

export function hasSortedKeys(value: JsonValue): boolean {
  const pending: Container[] = isContainer(value) ? [value] : [];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    if (!Array.isArray(container) && !areSorted(container)) return false;
    for (const child of Array.isArray(container) ? container : Object.values(container)) {
      if (child !== undefined && isContainer(child)) pending.push(child);
    }
  }
  return true;
}

function areSorted(object: JsonObject): boolean {
  let before: string | undefined;
  for (const key in object) {
    if (before !== undefined && compareBytes(before, key) > 0) return false;
    before = key;
  }
  return true;
}

/** As Go prints the keys of a map. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  return areSorted(object) ? keys : keys.sort(compareBytes);
}

function scalarOf(value: JsonValue): JsonValue {
  return value instanceof SpelledNumber ? withoutSpelling(value) : value;
}
