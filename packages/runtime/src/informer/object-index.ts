import { keyText, type ObjectMeta } from '@flotilla/kube';
import { keyOf } from './object-key.ts';
import type { Outlined, ReadonlyObject } from './object-source.ts';

export interface IndexFunction {
  (object: ReadonlyObject): Iterable<string>;
  /** Whether names and labels are enough for it, so that no existing object is parsed. */
  readonly readsLabelsOnly?: boolean;
}

/** What is known of an object without parsing it, in the form of an object. */
export interface Labelled {
  readonly metadata: Pick<ObjectMeta, 'namespace' | 'name' | 'labels'>;
}

/** An index function that reads names and labels only. */
export function ofLabels(valuesOf: (object: Labelled) => Iterable<string>): IndexFunction {
  return Object.assign((object: Labelled) => valuesOf(object), { readsLabelsOnly: true });
}

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

  /** Adds an object that is not parsed. */
  addOutlined({ key: { namespace, name }, outline: { labels = {} } }: Outlined): void {
    const metadata = { name, labels, ...(namespace !== undefined && { namespace }) };
    this.#add({ apiVersion: '', kind: '', metadata });
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
