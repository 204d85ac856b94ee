/** Which namespaces can be placed. */
import { reservedNamespacePrefixes } from '@flotilla/api';

export class PlaceableNamespaces {
  readonly #skipped: ReadonlySet<string>;

  /** `skipped` are further names, between commas or semicolons: KubeFleet's help says commas, its code reads semicolons. */
  constructor(skipped = '') {
    this.#skipped = new Set(['default', ...skipped.split(/[,;]/).filter((name) => name !== '')]);
  }

  includes(namespace: string): boolean {
    return !this.#skipped.has(namespace) && !reservedNamespacePrefixes.some((prefix) => namespace.startsWith(prefix));
  }
}
