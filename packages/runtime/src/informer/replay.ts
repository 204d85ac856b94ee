import { keyText } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { ObjectSource, Outlined } from './object-source.ts';
import type { Subscription } from './subscription.ts';

/**
 * Replays existing objects to subscriptions. It yields to the event loop, and live changes come in between. One pass serves all
 * subscriptions, because a view parses an object each time that a pass reaches it: controllers that start together would parse all
 * objects once for each of them.
 */
export class Replay {
  readonly #source: Pick<ObjectSource, 'outlines' | 'get'>;
  readonly #turns: Pick<LoopTurns, 'isOver' | 'next'>;
  readonly #waiting = new Set<Subscription>();
  /** The pass under way. */
  #pass: object | undefined;

  constructor(source: Pick<ObjectSource, 'outlines' | 'get'>, turns: Pick<LoopTurns, 'isOver' | 'next'>) {
    this.#source = source;
    this.#turns = turns;
  }

  /** One that comes during a pass gets the rest of it, and then what it has missed. */
  add(subscription: Subscription): void {
    subscription.beginReplay();
    this.#waiting.add(subscription);
    if (this.#pass === undefined) void this.#run();
  }

  /** Begins anew, for these subscriptions. */
  restart(subscriptions: Iterable<Subscription>): void {
    this.#waiting.clear();
    for (const subscription of subscriptions) {
      subscription.beginReplay();
      this.#waiting.add(subscription);
    }
    void this.#run();
  }

  async #run(): Promise<void> {
    const pass = {};
    this.#pass = pass;
    while (this.#waiting.size > 0) {
      const served = [...this.#waiting];
      for (const found of this.#source.outlines()) {
        if (this.#turns.isOver()) await this.#turns.next();
        if (this.#pass !== pass) return;
        this.#offer(found);
      }
      for (const subscription of served) {
        this.#waiting.delete(subscription);
        subscription.endReplay();
      }
    }
    this.#pass = undefined;
  }

  /** Parses the object only if a subscription awaits it and needs more than its outline. */
  #offer(found: Outlined): void {
    const key = keyText(found.key);
    let object: ReturnType<ObjectSource['get']>;
    for (const subscription of this.#waiting) {
      if (!subscription.awaits(key) || subscription.replayOutlined(key, found)) continue;
      object ??= this.#source.get(found.key);
      // Deleted since the pass began.
      if (object === undefined) return;
      subscription.replay(key, object);
    }
  }
}
