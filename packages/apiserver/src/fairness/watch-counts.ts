import type { ResourceInfo } from '../request/request-info.ts';

/** Counts open watches by what they match, to estimate how many get the event of a change. */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  add(info: ResourceInfo): void {
    const key = keyOf(info, info.namespace, info.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(info: ResourceInfo): void {
    const key = keyOf(info, info.namespace, info.name);
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  /** Watches of all objects, of the namespace and of the object. */
  interestedIn(info: ResourceInfo): number {
    if (this.#counts.size === 0) return 0;
    let count = this.#of(info, '', '');
    if (info.namespace !== '') count += this.#of(info, info.namespace, '');
    if (info.name !== '') count += this.#of(info, info.namespace, info.name);
    return count;
  }

  #of(info: ResourceInfo, namespace: string, name: string): number {
    return this.#counts.get(keyOf(info, namespace, name)) ?? 0;
  }
}

function keyOf({ group, resource }: ResourceInfo, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`;
}
