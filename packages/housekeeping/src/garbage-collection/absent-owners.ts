import type { Kind, OwnerReference } from '@flotilla/kube';
import type { Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';

/** So many uids are known to be gone at least: an owner of thousands is looked for once. */
const remembered = 500;

/** Owners that are not where a reference says: gone, or in a namespace that the reference cannot mean. */
export class Strays {
  readonly #collections: Collections;
  readonly #gone = new Set<string>();

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  noteGone(uid: string): void {
    this.#gone.delete(uid);
    this.#gone.add(uid);
    for (const oldest of this.#gone) {
      if (this.#gone.size <= remembered) break;
      this.#gone.delete(oldest);
    }
  }

  /** Whether the owner lives, but in another namespace than its dependent. */
  async isElsewhere(kind: Kind, { name, uid }: OwnerReference, home: string | undefined): Promise<boolean> {
    if (this.#gone.has(uid)) return false;
    for (const { key } of await this.#collections.contents(kinds.namespace)) {
      if (key.name === home) continue;
      const outline = await this.#collections.outline(kind, { namespace: key.name, name });
      if (outline?.uid === uid) return true;
    }
    this.noteGone(uid);
    return false;
  }
}
