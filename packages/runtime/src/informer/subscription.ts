import { keyText } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { keyOf } from './object-key.ts';
import type { ObjectChange, ReadonlyObject } from './object-source.ts';

/** `isLive` is false for what was there before, or what a list found. */
export type Told = (now: ReadonlyObject | undefined, old: ReadonlyObject | undefined, isLive: boolean) => void;

/**
 * Somebody who hears of every object once as an addition, and then of its changes. Those who come late are told what is
 * there already, a few objects at a time, while changes go on.
 */
export class Subscription {
  readonly #tell: Told;
  readonly #turns: LoopTurns;
  /** During the telling of what is there: whom the listener knows. */
  #known: Set<string> | undefined;
  #isStopped = false;
  #finished: Promise<void> = Promise.resolve();

  constructor(tell: Told, turns: LoopTurns) {
    this.#tell = tell;
    this.#turns = turns;
  }

  changed(change: ObjectChange): void {
    if (this.#isStopped) return;
    if (this.#known === undefined) return this.#tell(change.now(), change.old(), change.isLive);
    const key = keyText(change.key);
    if (this.#known.has(key)) return this.#tell(change.now(), change.old(), change.isLive);
    // Known from now on even when it is gone: what is there already may still name it.
    this.#known.add(key);
    const now = change.now();
    if (now !== undefined) this.#tell(now, undefined, change.isLive);
  }

  /** What is there already. Begins anew where another such telling has not come to its end. */
  replay(objects: Iterable<ReadonlyObject>): void {
    this.#known = new Set();
    this.#finished = this.#replay(objects, this.#known);
  }

  /** When all that was there has been told. */
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
      this.#tell(object, undefined, false);
    }
    this.#known = undefined;
  }
}
