import type { Kind, OwnerReference } from '@flotilla/kube';
import type { Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';

/** Kubernetes' collector remembers as many. An owner of thousands of objects is searched for once. */
const maxAbsent = 500;

/** Remembers uids of owners that do not exist, and searches other namespaces for those that may. */
export class AbsentOwners {
  readonly #collections: Collections;
  readonly #uids = new Set<string>();

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  add(uid: string): void {
    this.#uids.delete(uid);
    this.#uids.add(uid);
    for (const oldest of this.#uids) {
      if (this.#uids.size <= maxAbsent) break;
      this.#uids.delete(oldest);
    }
  }

  /** Whether the owner exists, but in another namespace than its dependent. */
  async isInOtherNamespace(kind: Kind, { name, uid }: OwnerReference, namespace: string | undefined): Promise<boolean> {
    if (this.#uids.has(uid)) return false;
    for (const { key } of await this.#collections.contents(kinds.namespace)) {
      if (key.name === namespace) continue;
      const outline = await this.#collections.outline(kind, { namespace: key.name, name });
      if (outline?.uid === uid) return true;
    }
    this.add(uid);
    return false;
  }
}
