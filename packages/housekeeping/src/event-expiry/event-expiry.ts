import type { Client } from '@flotilla/client';
import { isConflict, isNotFound, keyText, type Kind, type Logger, type ObjectKey } from '@flotilla/kube';
import type { ObjectChange } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';
import { lastHeardOf } from './last-heard-of.ts';

export interface EventExpiryOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly collections: Collections;
}

/** As long as kube-apiserver keeps them when nothing is said. */
const lifeMs = 3_600_000;

/** Events that are due so soon after one another go together. */
const gatheringMs = 10_000;

/** So many are on their way at once. */
const atOnce = 32;

interface Expiring {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly at: number;
}

/**
 * Deletes events an hour after they last changed. Whatever changes goes to the end of the line, so the first in it is the
 * next to go, and one timer is enough; when nothing happens, nothing is done.
 */
export class EventExpiry {
  readonly #options: EventExpiryOptions;
  /** By key, oldest first. */
  readonly #line = new Map<string, Expiring>();
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(options: EventExpiryOptions) {
    this.#options = options;
    options.collections.listen({ changed: (kind, change) => this.#changed(kind, change), missed: () => {} });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #changed(kind: Kind, change: ObjectChange): void {
    if (kind.plural !== kinds.event.plural || kind.group !== kinds.event.group) return;
    const { key, outline, isGone, isLive } = change;
    const name = keyText(key);
    const now = this.#options.clock.now();
    if (isGone) {
      this.#line.delete(name);
      return;
    }
    if (!isLive && this.#line.has(name)) return;
    const event = isLive ? undefined : change.now();
    const at = (event === undefined ? now : Math.min(lastHeardOf(event), now)) + lifeMs;
    this.#line.delete(name);
    this.#line.set(name, { kind, key, uid: outline.uid, at });
    if (!this.#cancel) this.#wakeAt(at);
  }

  #wakeAt(at: number): void {
    const delayMs = Math.max(0, at - this.#options.clock.now()) + gatheringMs;
    this.#cancel = this.#options.clock.after(delayMs, () => void this.#sweep());
  }

  async #sweep(): Promise<void> {
    const now = this.#options.clock.now();
    const due: Expiring[] = [];
    for (const expiring of this.#line.values()) {
      // Those that were found at the start stand in no order.
      if (expiring.at <= now) due.push(expiring);
    }
    for (let first = 0; first < due.length && !this.#isStopped; first += atOnce) {
      await Promise.all(due.slice(first, first + atOnce).map((expiring) => this.#remove(expiring)));
      await this.#options.turns.next();
    }
    this.#cancel = undefined;
    if (this.#isStopped) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#line.values()) next = Math.min(next, at);
    if (next < Number.POSITIVE_INFINITY) this.#wakeAt(next);
  }

  async #remove(expiring: Expiring): Promise<void> {
    const { kind, key, uid } = expiring;
    if (this.#line.get(keyText(key)) !== expiring) return;
    this.#line.delete(keyText(key));
    try {
      await this.#options.client.delete(kind, key, { uid });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      this.#options.logger.debug('an event could not be removed', { key: keyText(key), error });
      this.#line.set(keyText(key), { ...expiring, at: this.#options.clock.now() + gatheringMs });
    }
  }
}
