import { quote } from '../go/format.ts';
import { getOwn, setOwn, withSortedKeys } from '../json/untrusted.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';

type Container = JsonObject | JsonValue[];

/** A container and the last segment of a path into it. */
export interface Location {
  readonly container: Container;
  readonly key: string;
}

/**
 * The document while operations change it. Copies a container on first use and then edits it in place. So the input
 * is unchanged, and ten thousand operations on a list copy it once.
 */
export class JsonPatchDocument {
  #root: Container;
  readonly #opened = new Set<Container>();

  constructor(root: Container) {
    this.#root = this.#open(root);
  }

  get root(): Container {
    return this.#root;
  }

  replaceRoot(root: Container): void {
    this.#root = this.#open(root);
  }

  /** The location of a path; undefined if a container on the path is missing. The location itself may be empty. */
  find(path: string): Location | undefined {
    // Ignores everything before the first slash, as Kubernetes' library does.
    const parts = path.split('/').slice(1).map(unescapePart);
    const key = parts.pop();
    if (key === undefined) return undefined;
    let container = this.#root;
    for (const part of parts) {
      const next = this.#openChild(container, part);
      if (next === undefined) return undefined;
      container = next;
    }
    return { container, key };
  }

  /** The patched document. Changed objects have sorted keys, as in Kubernetes' errors about the result. */
  result(): JsonValue {
    return this.#finish(this.#root, 0);
  }

  #openChild(container: Container, part: string): Container | undefined {
    const index = Array.isArray(container) ? existingIndex(container, part) : part;
    if (index === undefined) return undefined;
    const child = childAt(container, index);
    if (!isContainer(child)) return undefined;
    if (this.#opened.has(child)) return child;
    const copy = this.#open(child);
    if (Array.isArray(container)) container[Number(index)] = copy;
    else setOwn(container, part, copy);
    return copy;
  }

  #open(container: Container): Container {
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#opened.add(copy);
    return copy;
  }

  #finish(container: Container, depth: number): Container {
    checkPatchDepth(depth);
    if (!this.#opened.has(container)) return container;
    const finishChild = (child: JsonValue) => (isContainer(child) ? this.#finish(child, depth + 1) : child);
    if (Array.isArray(container)) return container.map(finishChild);
    const sorted = withSortedKeys(container);
    for (const [key, child] of Object.entries(sorted)) {
      if (isContainer(child)) setOwn(sorted, key, finishChild(child));
    }
    return sorted;
  }
}

export function isContainer(value: JsonValue | undefined): value is Container {
  return Array.isArray(value) || isJsonObject(value);
}

/** The value at a location; undefined for a missing key. Throws for an index outside the list. */
export function readLocation({ container, key }: Location): JsonValue | undefined {
  if (!Array.isArray(container)) return getOwn(container, key);
  return container[checkedIndex(container.length, key)];
}

export function exists({ container, key }: Location): boolean {
  return Array.isArray(container) ? indexOf(container.length, key) !== undefined : Object.hasOwn(container, key);
}

export function insertAt({ container, key }: Location, value: JsonValue): void {
  if (!Array.isArray(container)) setOwn(container, key, value);
  else if (key === '-') container.push(value);
  else container.splice(insertionIndex(container.length + 1, key), 0, value);
}

export function overwrite({ container, key }: Location, value: JsonValue): void {
  if (Array.isArray(container)) container[checkedIndex(container.length, key)] = value;
  else setOwn(container, key, value);
}

/** The two versions of the library spell the message differently. */
export function removeAt({ container, key }: Location, isVersion4: boolean): void {
  if (Array.isArray(container)) {
    container.splice(checkedIndex(container.length, key), 1);
    return;
  }
  if (!Object.hasOwn(container, key)) {
    throw inapplicable(`${isVersion4 ? 'Unable' : 'unable'} to remove nonexistent key: ${key}: missing value`);
  }
  delete container[key];
}

export function inapplicable(message: string): PatchError {
  return new PatchError('inapplicable', message);
}

function childAt(container: Container, key: string): JsonValue | undefined {
  return Array.isArray(container) ? container[Number(key)] : getOwn(container, key);
}

function existingIndex(list: readonly JsonValue[], part: string): string | undefined {
  const index = indexOf(list.length, part);
  return index === undefined ? undefined : String(index);
}

function insertionIndex(length: number, part: string): number {
  if (!indexPattern.test(part)) {
    throw inapplicable(`value was not a proper array index: '${part}': ${notAnIndex(part)}`);
  }
  return checkedIndex(length, part);
}

function checkedIndex(length: number, part: string): number {
  if (!indexPattern.test(part)) throw inapplicable(notAnIndex(part));
  const index = indexOf(length, part);
  if (index === undefined) {
    throw inapplicable(`Unable to access invalid index: ${Number(part)}: invalid index referenced`);
  }
  return index;
}

const indexPattern = /^[+-]?\d+$/;

function notAnIndex(part: string): string {
  return `strconv.Atoi: parsing ${quote(part)}: invalid syntax`;
}

/** Negative indices count from the end: -1 is the last element, or for an insertion after it. */
function indexOf(length: number, part: string): number | undefined {
  if (!indexPattern.test(part)) return undefined;
  const given = Number(part);
  const index = given < 0 ? given + length : given;
  return index >= 0 && index < length ? index : undefined;
}

/** `~1` is a slash and `~0` a tilde. Decoded in one pass, so `~01` is `~1`. */
function unescapePart(part: string): string {
  return part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));
}
