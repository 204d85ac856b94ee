import { keyText } from '@flotilla/kube';
import { keyOf } from './object-key.ts';
import type { ReadonlyObject } from './object-source.ts';

export type IndexFunction = (object: ReadonlyObject) => Iterable<string>;

/** Finds objects by a value. The function must always return the same values for the same object. */
export class ObjectIndex {
  readonly #valuesOf: IndexFunction;
  readonly #keys = new Map<string, Set<string>>();

  constructor(valuesOf: IndexFunction) {
    this.#valuesOf = valuesOf;
  }

  update(now: ReadonlyObject | undefined, old: ReadonlyObject | undefined): void {
    if (old !== undefined) this.#remove(old);
    if (now !== undefined) this.#add(now);
  }

  keysOf(value: string): ReadonlySet<string> {
    return this.#keys.get(value) ?? none;
  }

  clear(): void {
    this.#keys.clear();
  }

  #add(object: ReadonlyObject): void {
    const key = keyText(keyOf(object));
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value);
      if (keys === undefined) this.#keys.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  #remove(object: ReadonlyObject): void {
    const key = keyText(keyOf(object));
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
  }
}

const none: ReadonlySet<string> = new Set();
