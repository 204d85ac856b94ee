import { keyText } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { ObjectSource, Outlined } from './object-source.ts';
import type { Subscription } from './subscription.ts';

/** Subscriptions that began to wait between the same two objects, so that one set says which objects all of them have got. */
interface Cohort {
  readonly subscriptions: Set<Subscription>;
  readonly replayed: Set<string>;
}

/**
 * Replays existing objects to subscriptions. It yields to the event loop, and live changes come in between. One pass serves all
 * subscriptions, because a view parses an object each time that a pass reaches it: controllers that start together would parse all
 * objects once for each of them.
 */
export class Replay {
  readonly #source: Pick<ObjectSource, 'outlines' | 'get'>;
  readonly #turns: Pick<LoopTurns, 'isOver' | 'next'>;
  readonly #waiting = new Set<Cohort>();
  /** The newest, until an object is replayed. */
  #open: Cohort | undefined;
  /** The pass under way. */
  #pass: object | undefined;

  constructor(source: Pick<ObjectSource, 'outlines' | 'get'>, turns: Pick<LoopTurns, 'isOver' | 'next'>) {
    this.#source = source;
    this.#turns = turns;
  }

  /** One that comes during a pass gets the rest of it, and then what it has missed. */
  add(subscription: Subscription): void {
    this.#join(subscription);
    if (this.#pass === undefined) void this.#run();
  }

  /** Begins anew, for these subscriptions. */
  restart(subscriptions: Iterable<Subscription>): void {
    this.#waiting.clear();
    this.#open = undefined;
    for (const subscription of subscriptions) this.#join(subscription);
    void this.#run();
  }

  #join(subscription: Subscription): void {
    if (this.#open === undefined) {
      this.#open = { subscriptions: new Set(), replayed: new Set() };
      this.#waiting.add(this.#open);
    }
    subscription.beginReplay(this.#open.replayed);
    this.#open.subscriptions.add(subscription);
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
      this.#open = undefined;
      for (const cohort of served) {
        this.#waiting.delete(cohort);
        for (const subscription of cohort.subscriptions) subscription.endReplay();
      }
    }
    this.#pass = undefined;
  }

  /** Parses the object only if a subscription awaits it and needs more than its outline. */
  #offer(found: Outlined): void {
    const key = keyText(found.key);
    let object: ReturnType<ObjectSource['get']>;
    this.#open = undefined;
    for (const { subscriptions, replayed } of this.#waiting) {
      if (replayed.has(key)) continue;
      // Before the listeners are called: what they start may change the object.
      replayed.add(key);
      for (const subscription of subscriptions) {
        if (!subscription.awaits(key) || subscription.replayOutlined(found)) continue;
        object ??= this.#source.get(found.key);
        // Absent if it was deleted since the pass began. The deletion reaches the listener, which knows no such object.
        if (object !== undefined) subscription.replay(object);
      }
    }
    // A listener may have added a subscription.
    this.#open = undefined;
  }
}
