/** What the resource snapshots of placements contain, for the search for overrides. */
import type { ResourceSnapshot } from '@flotilla/api';
import { placedIdentities, type PlacedIdentity } from '../overrides/candidates.ts';

/** Snapshots are large and immutable, so each is read once. The least recently used are dropped. */
const maxSnapshots = 4_000;

/** Reading more snapshots at once would hold up the event loop. */
const maxReadAtOnce = 4;

export class PlacedResources {
  readonly #known = new Map<string, readonly PlacedIdentity[]>();

  /** Undefined if there is more to read than one turn may take: then call again. */
  of(
    uids: readonly string[],
    read: (uid: string) => Readonly<ResourceSnapshot> | undefined,
  ): PlacedIdentity[] | undefined {
    let readable = maxReadAtOnce;
    const found: PlacedIdentity[] = [];
    for (const uid of uids) {
      const known = this.#known.get(uid);
      if (known === undefined && readable-- === 0) return undefined;
      const placed = known ?? placedIdentities(read(uid)?.spec.selectedResources ?? []);
      this.#keep(uid, placed);
      for (const one of placed) found.push(one);
    }
    return found;
  }

  #keep(uid: string, placed: readonly PlacedIdentity[]): void {
    this.#known.delete(uid);
    this.#known.set(uid, placed);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxSnapshots && oldest !== undefined) this.#known.delete(oldest);
  }
}
