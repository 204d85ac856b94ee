/**
 * What a controller wrote and has not seen yet. A turn on a state without one's own writes would decide the same again and
 * lose a race against oneself: harmless, but useless. So a key whose writes are on their way waits for them.
 */
import type { Clock } from '@flotilla/timing';
import type { InformerCache } from './informer-cache.ts';
import type { Written } from './perform-plan.ts';

/** Longer than any watch takes to tell what happened. Whoever waited so long goes on with what there is. */
const patienceMs = 5000;

export class OwnWrites {
  readonly #cache: InformerCache;
  readonly #clock: Clock;
  readonly #seen: (turn: string) => void;
  readonly #unseen = new Map<string, Written[]>();
  /** Turns that asked and were told to wait. */
  readonly #waiting = new Map<string, () => void>();
  #isLookPlanned = false;

  /** `seen` is told when a turn that had to wait may go on. */
  constructor(cache: InformerCache, clock: Clock, seen: (turn: string) => void) {
    this.#cache = cache;
    this.#clock = clock;
    this.#seen = seen;
  }

  add(turn: string, written: readonly Written[]): void {
    const unseen = written.filter((write) => !this.#isSeen(write));
    if (unseen.length > 0) this.#unseen.set(turn, unseen);
  }

  /** Whether the turn can begin; if not, it is told when. */
  areSeen(turn: string): boolean {
    const unseen = this.#unseen.get(turn)?.filter((write) => !this.#isSeen(write));
    if (unseen === undefined) return true;
    if (unseen.length === 0) {
      this.#forget(turn);
      return true;
    }
    this.#unseen.set(turn, unseen);
    if (!this.#waiting.has(turn))
      this.#waiting.set(
        turn,
        this.#clock.after(patienceMs, () => this.#wake(turn)),
      );
    return false;
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** An informer shows more than before: perhaps what a turn waits for. Changes that come together are one look. */
  informersChanged(): void {
    if (this.#isLookPlanned || !this.isAwaited) return;
    this.#isLookPlanned = true;
    setImmediate(() => this.#look());
  }

  #look(): void {
    this.#isLookPlanned = false;
    for (const turn of this.#waiting.keys()) {
      if (this.#unseen.get(turn)?.every((write) => this.#isSeen(write))) this.#wake(turn);
    }
  }

  clear(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    this.#unseen.clear();
  }

  #wake(turn: string): void {
    this.#forget(turn);
    this.#seen(turn);
  }

  #forget(turn: string): void {
    this.#waiting.get(turn)?.();
    this.#waiting.delete(turn);
    this.#unseen.delete(turn);
  }

  /** Kinds that are not watched are never seen, so nobody waits for them. */
  #isSeen({ kind, key, uid, resourceVersion }: Written): boolean {
    const informer = this.#cache.find(kind);
    if (informer === undefined) return true;
    if (resourceVersion !== undefined) return !(informer.revision < Number(resourceVersion));
    const shown = informer.get(key)?.metadata;
    return shown?.uid !== uid || shown?.deletionTimestamp !== undefined;
  }
}
