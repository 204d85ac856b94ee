/**
 * Read your writes: holds back a key until the informers show what its last reconcile wrote. A reconcile without its own writes would
 * decide the same again and get a conflict.
 */
import type { Kind } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import type { Informer } from './informer/informer.ts';
import type { Written } from './perform-plan.ts';

/** Longer than any watch takes to show a write. After this a reconcile starts without it. */
const maxWaitMs = 5000;

export interface OwnWritesOptions {
  /** Undefined for kinds that are not watched; their writes are not awaited. */
  readonly informerOf: (kind: Kind) => Informer | undefined;
  readonly clock: Clock;
  /** Shared by all work of the thread. Default: an instance of its own. */
  readonly turns?: LoopTurns | undefined;
  /** Called when a key that was held back may be reconciled. */
  readonly onSeen: (key: string) => void;
}

export class OwnWrites {
  readonly #options: OwnWritesOptions;
  readonly #unseen = new Map<string, Written[]>();
  /** Keys that are held back, with the function that cancels their timer. */
  readonly #waiting = new Map<string, () => void>();
  readonly #turns: LoopTurns;
  #isCheckPlanned = false;

  constructor(options: OwnWritesOptions) {
    this.#options = options;
    this.#turns = options.turns ?? new LoopTurns();
  }

  /** Records what the reconcile of this key wrote. */
  add(key: string, written: readonly Written[]): void {
    const unseen = written.filter((write) => !this.#isSeen(write));
    if (unseen.length > 0) this.#unseen.set(key, [...(this.#unseen.get(key) ?? []), ...unseen]);
  }

  /** Whether the key may be reconciled; if not, `onSeen` is called when it may. */
  areSeen(key: string): boolean {
    const unseen = this.#unseen.get(key)?.filter((write) => !this.#isSeen(write));
    if (unseen === undefined) return true;
    if (unseen.length === 0) {
      this.#forget(key);
      return true;
    }
    this.#unseen.set(key, unseen);
    if (!this.#waiting.has(key))
      this.#waiting.set(
        key,
        this.#options.clock.after(maxWaitMs, () => this.#wake(key)),
      );
    return false;
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** Call after an informer changed. Checks the held keys once for all changes of a turn. */
  informersChanged(): void {
    if (this.#isCheckPlanned || !this.isAwaited) return;
    this.#isCheckPlanned = true;
    this.#turns.later(() => this.#check());
  }

  stop(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    this.#unseen.clear();
  }

  #check(): void {
    this.#isCheckPlanned = false;
    for (const key of this.#waiting.keys()) {
      if (this.#unseen.get(key)?.every((write) => this.#isSeen(write))) this.#wake(key);
    }
  }

  #wake(key: string): void {
    this.#forget(key);
    this.#options.onSeen(key);
  }

  #forget(key: string): void {
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
    this.#unseen.delete(key);
  }

  #isSeen({ kind, key, uid, resourceVersion }: Written): boolean {
    const informer = this.#options.informerOf(kind);
    if (informer === undefined) return true;
    if (resourceVersion !== undefined) return !(informer.revision < Number(resourceVersion));
    const shown = informer.get(key)?.metadata;
    return shown?.uid !== uid || shown?.deletionTimestamp !== undefined;
  }
}
