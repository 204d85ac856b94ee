import { keyText, TextSets, type ObjectMeta } from '@flotilla/kube';
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
  readonly #keys = new TextSets();

  constructor(valuesOf: IndexFunction) {
    this.#valuesOf = valuesOf;
  }

  update(now: ReadonlyObject | undefined, old: ReadonlyObject | undefined): void {
    const object = now ?? old;
    if (object === undefined) return;
    const before = this.#valuesIn(old);
    const after = this.#valuesIn(now);
    if (areSameTexts(before, after)) return;
    const key = keyText(keyOf(object));
    for (const value of before) this.#keys.delete(value, key);
    for (const value of after) this.#keys.add(value, key);
  }

  /** Adds an object that is not parsed. */
  addOutlined({ key: { namespace, name }, outline: { labels = {} } }: Outlined): void {
    const metadata = { name, labels, ...(namespace !== undefined && { namespace }) };
    this.update({ apiVersion: '', kind: '', metadata }, undefined);
  }

  keysOf(value: string): Iterable<string> {
    return this.#keys.get(value);
  }

  countOf(value: string): number {
    return this.#keys.sizeOf(value);
  }

  clear(): void {
    this.#keys.clear();
  }

  #valuesIn(object: ReadonlyObject | undefined): readonly string[] {
    return object === undefined ? [] : [...this.#valuesOf(object)];
  }
}

function areSameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, at) => text === others[at]);
}
