import type { Client } from '@flotilla/client';
import {
  isConflict,
  isNotFound,
  keyText,
  type Kind,
  type KubeObject,
  type Logger,
  type ObjectKey,
} from '@flotilla/kube';
import type { ObjectChange } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';

export interface EventExpiryOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly collections: Collections;
}

/** The default `--event-ttl` of kube-apiserver. */
const timeToLiveMs = 3_600_000;

/** Events that expire within this time are deleted together. */
const gatheringMs = 10_000;

/** Deletions that share a commit of the store. */
const concurrency = 32;

interface Expiring {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly at: number;
}

/**
 * Deletes events an hour after their last change. One timer waits for the earliest expiry, so an idle server does no work.
 */
export class EventExpiry {
  readonly #options: EventExpiryOptions;
  /** By key. */
  readonly #expiring = new Map<string, Expiring>();
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
      this.#expiring.delete(name);
      return;
    }
    if (!isLive && this.#expiring.has(name)) return;
    const event = isLive ? undefined : change.now();
    const at = (event === undefined ? now : Math.min(lastChangeOf(event), now)) + timeToLiveMs;
    this.#expiring.delete(name);
    this.#expiring.set(name, { kind, key, uid: outline.uid, at });
    if (!this.#cancel) this.#wakeAt(at);
  }

  #wakeAt(at: number): void {
    const delayMs = Math.max(0, at - this.#options.clock.now()) + gatheringMs;
    this.#cancel = this.#options.clock.after(delayMs, () => void this.#sweep());
  }

  async #sweep(): Promise<void> {
    const now = this.#options.clock.now();
    const due: Expiring[] = [];
    for (const expiring of this.#expiring.values()) {
      // Events found at the start are not in order of expiry.
      if (expiring.at <= now) due.push(expiring);
    }
    for (let first = 0; first < due.length && !this.#isStopped; first += concurrency) {
      await Promise.all(due.slice(first, first + concurrency).map((expiring) => this.#remove(expiring)));
      await this.#options.turns.next();
    }
    this.#cancel = undefined;
    if (this.#isStopped) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#expiring.values()) next = Math.min(next, at);
    if (next < Number.POSITIVE_INFINITY) this.#wakeAt(next);
  }

  async #remove(expiring: Expiring): Promise<void> {
    const { kind, key, uid } = expiring;
    if (this.#expiring.get(keyText(key)) !== expiring) return;
    this.#expiring.delete(keyText(key));
    try {
      await this.#options.client.delete(kind, key, { uid });
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      this.#options.logger.debug('deleting an expired event failed, retrying', { key: keyText(key), error });
      this.#expiring.set(keyText(key), { ...expiring, at: this.#options.clock.now() + gatheringMs });
    }
  }
}

interface Event extends KubeObject {
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { lastObservedTime?: string } | null;
}

/** The newest of all times in an event, in milliseconds since the epoch. */
export function lastChangeOf(object: Readonly<KubeObject>): number {
  const { lastTimestamp, eventTime, series, metadata } = object as Event;
  const written = metadata.managedFields?.map(({ time }) => time) ?? [];
  const times = [metadata.creationTimestamp, lastTimestamp, eventTime, series?.lastObservedTime, ...written];
  const moments = times.map((time) => Date.parse(time ?? '')).filter((moment) => !Number.isNaN(moment));
  return Math.max(0, ...moments);
}
