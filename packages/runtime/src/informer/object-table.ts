import type { ObjectKey } from '@flotilla/kube';
import type { ReadonlyObject } from './object-source.ts';

/** Objects of one kind by namespace and name. */
export class ObjectTable {
  readonly #namespaces = new Map<string, Map<string, ReadonlyObject>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ namespace = '', name }: ObjectKey): ReadonlyObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  set({ namespace = '', name }: ObjectKey, object: ReadonlyObject): void {
    const objects = this.#namespaces.get(namespace) ?? this.#addNamespace(namespace);
    if (!objects.has(name)) this.#size++;
    objects.set(name, object);
  }

  delete({ namespace = '', name }: ObjectKey): void {
    const objects = this.#namespaces.get(namespace);
    if (!objects?.delete(name)) return;
    this.#size--;
    if (objects.size === 0) this.#namespaces.delete(namespace);
  }

  clear(): void {
    this.#namespaces.clear();
    this.#size = 0;
  }

  *all(namespace?: string): Generator<ReadonlyObject, void> {
    if (namespace !== undefined) yield* this.#namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  #addNamespace(namespace: string): Map<string, ReadonlyObject> {
    const objects = new Map<string, ReadonlyObject>();
    this.#namespaces.set(namespace, objects);
    return objects;
  }
}
