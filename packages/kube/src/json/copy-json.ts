import { compareBytes } from '../go/format.ts';
import { setOwn } from './untrusted.ts';
import {
  isPrintedExactly,
  JsonFloat,
  SpelledNumber,
  withoutSpelling,
  type JsonObject,
  type JsonValue,
} from './value.ts';

type Container = JsonObject | JsonValue[];

/** Deeper values are copied by loops, because users control the depth of JSON. Recursion is several times faster. */
const maxRecursion = 100;

/** A deep copy. */
export function copyJson(value: JsonValue): JsonValue {
  return copied(value, 0);
}

function copied(value: JsonValue, depth: number): JsonValue {
  if (!isContainer(value)) return value;
  if (depth > maxRecursion) return copiedByLoop(value);
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? copied(item, depth + 1) : item));
  const copy: JsonObject = {};
  for (const key in value) {
    const child = value[key];
    if (child !== undefined) setOwn(copy, key, typeof child === 'object' ? copied(child, depth + 1) : child);
  }
  return copy;
}

/**
 * A deep copy that equals what any of our parsers reads from the printed value. Undefined if there is none: if the value is too deep, or
 * has numbers or texts that are read otherwise than they are printed.
 */
export function copyAsPrinted(value: JsonValue, depth = 0): JsonValue | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined;
  if (typeof value === 'number') return isPrintedExactly(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? undefined : value;
  if (depth > maxRecursion || 'toJSON' in value) return undefined;
  return Array.isArray(value) ? listAsPrinted(value, depth) : objectAsPrinted(value, depth);
}

function listAsPrinted(list: readonly JsonValue[], depth: number): JsonValue[] | undefined {
  const copy: JsonValue[] = [];
  for (const item of list) {
    const printed = copyAsPrinted(item, depth + 1);
    if (printed === undefined) return undefined;
    copy.push(printed);
  }
  return copy;
}

function objectAsPrinted(object: JsonObject, depth: number): JsonObject | undefined {
  const copy: JsonObject = {};
  for (const key in object) {
    const child = object[key];
    if (child === undefined) continue;
    const printed = copyAsPrinted(child, depth + 1);
    if (printed === undefined || !key.isWellFormed()) return undefined;
    setOwn(copy, key, printed);
  }
  return copy;
}

function copiedByLoop(value: Container): JsonValue {
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

/** A deep copy with sorted keys, as Go prints maps. Numbers lose their original text. */
export function sortedCopy(value: JsonValue): JsonValue {
  return sorted(value, 0);
}

function sorted(value: JsonValue, depth: number): JsonValue {
  if (!isContainer(value)) return scalarOf(value);
  if (depth > maxRecursion) return sortedByLoop(value);
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? sorted(item, depth + 1) : item));
  if (!hasSortedKeys(value)) return copiedInOrder(value, depth);
  const copy: JsonObject = {};
  for (const key in value) {
    const child = value[key];
    if (child !== undefined) setOwn(copy, key, typeof child === 'object' ? sorted(child, depth + 1) : child);
  }
  return copy;
}

function copiedInOrder(object: JsonObject, depth: number): JsonObject {
  const copy: JsonObject = {};
  for (const key of sortedKeys(object)) {
    const child = object[key];
    if (child !== undefined) setOwn(copy, key, typeof child === 'object' ? sorted(child, depth + 1) : child);
  }
  return copy;
}

function sortedByLoop(value: Container): JsonValue {
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

/**
 * The value with sorted keys, as Go prints maps. Numbers lose their original text. Shares whatever is in order with its source, so
 * that a value in order is returned as it is.
 */
export function inKeyOrder(value: JsonValue): JsonValue {
  return ordered(value, 0);
}

function ordered(value: JsonValue, depth: number): JsonValue {
  if (!isContainer(value)) return scalarOf(value);
  if (depth > maxRecursion) return sortedByLoop(value);
  if (Array.isArray(value)) return orderedList(value, depth);
  return hasSortedKeys(value) ? orderedMembers(value, depth) : reordered(value, depth);
}

function orderedList(list: JsonValue[], depth: number): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as JsonValue;
    const inOrder = typeof item === 'object' ? ordered(item, depth + 1) : item;
    if (inOrder !== item) (copy ??= [...list])[index] = inOrder;
  }
  return copy ?? list;
}

/** For an object whose own keys are in order. */
function orderedMembers(object: JsonObject, depth: number): JsonObject {
  let copy: JsonObject | undefined;
  for (const key in object) {
    const child = object[key];
    if (typeof child !== 'object') continue;
    const inOrder = ordered(child, depth + 1);
    if (inOrder !== child) setOwn((copy ??= { ...object }), key, inOrder);
  }
  return copy ?? object;
}

function reordered(object: JsonObject, depth: number): JsonObject {
  const copy: JsonObject = {};
  for (const key of sortedKeys(object)) {
    const child = object[key];
    if (child !== undefined) setOwn(copy, key, typeof child === 'object' ? ordered(child, depth + 1) : child);
  }
  return copy;
}

export function hasSortedKeys(object: JsonObject): boolean {
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
  if (hasSortedKeys(object)) return keys;
  return keys.length > maxInserted ? keys.sort(compareBytes) : sortedByInsertion(keys);
}

const maxInserted = 16;

/** Most objects have few keys. `sort` would allocate more than the object itself. */
function sortedByInsertion(keys: string[]): string[] {
  for (let from = 1; from < keys.length; from++) {
    const key = keys[from] as string;
    let to = from;
    for (; to > 0 && compareBytes(keys[to - 1] as string, key) > 0; to--) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}

function scalarOf(value: JsonValue): JsonValue {
  return value instanceof SpelledNumber ? withoutSpelling(value) : value;
}
