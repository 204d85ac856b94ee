import { keyText } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { keyOf } from './object-key.ts';
import type { ObjectChange, ReadonlyObject } from './object-source.ts';

/** `isLive` is false for existing objects, and for differences that a list found. */
export type Listener = (now: ReadonlyObject | undefined, old: ReadonlyObject | undefined, isLive: boolean) => void;

/**
 * Calls a listener once for every object as an addition, and then for its changes. A late listener gets existing objects first;
 * that yields to the event loop, and live changes come in between.
 */
export class Subscription {
  readonly #listener: Listener;
  readonly #turns: LoopTurns;
  /** During a replay: the keys that the listener has got. */
  #known: Set<string> | undefined;
  #isStopped = false;
  #finished: Promise<void> = Promise.resolve();

  constructor(listener: Listener, turns: LoopTurns) {
    this.#listener = listener;
    this.#turns = turns;
  }

  changed(change: ObjectChange): void {
    if (this.#isStopped) return;
    if (this.#known === undefined) return this.#listener(change.now(), change.old(), change.isLive);
    const key = keyText(change.key);
    if (this.#known.has(key)) return this.#listener(change.now(), change.old(), change.isLive);
    // Also for a deletion: the replay may still have the object.
    this.#known.add(key);
    const now = change.now();
    if (now !== undefined) this.#listener(now, undefined, change.isLive);
  }

  /** Calls the listener for existing objects. Replaces a replay that is under way. */
  replay(objects: Iterable<ReadonlyObject>): void {
    this.#known = new Set();
    this.#finished = this.#replay(objects, this.#known);
  }

  /** Resolves when the replay is done. */
  whenCaughtUp(): Promise<void> {
    return this.#finished;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #replay(objects: Iterable<ReadonlyObject>, known: Set<string>): Promise<void> {
    for (const object of objects) {
      if (this.#turns.isOver()) await this.#turns.next();
      if (this.#isStopped || this.#known !== known) return;
      const key = keyText(keyOf(object));
      if (known.has(key)) continue;
      known.add(key);
      this.#listener(object, undefined, false);
    }
    this.#known = undefined;
  }
}
