/**
 * What was written and no informer shows yet. A turn on a state without its own writes would decide the same again and lose a
 * race against itself. So a key whose writes are on their way waits for them.
 */
import type { Kind } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import type { Informer } from './informer/informer.ts';
import type { Written } from './perform-plan.ts';

/** Longer than any watch takes to show a write. A turn that waited so long goes on with what there is. */
const patienceMs = 5000;

export interface OwnWritesOptions {
  /** Undefined for kinds that are not watched: their writes would never show up. */
  readonly informerOf: (kind: Kind) => Informer | undefined;
  readonly clock: Clock;
  /** Of the thread; default: its own. */
  readonly turns?: LoopTurns | undefined;
  /** Called when a key that had to wait may go on. */
  readonly onSeen: (key: string) => void;
}

export class OwnWrites {
  readonly #options: OwnWritesOptions;
  readonly #unseen = new Map<string, Written[]>();
  /** Keys that asked for their turn and wait, with what cancels their patience. */
  readonly #waiting = new Map<string, () => void>();
  readonly #turns: LoopTurns;
  #isLookPlanned = false;

  constructor(options: OwnWritesOptions) {
    this.#options = options;
    this.#turns = options.turns ?? new LoopTurns();
  }

  /** All that the turn of this key wrote. */
  add(key: string, written: readonly Written[]): void {
    const unseen = written.filter((write) => !this.#isSeen(write));
    if (unseen.length > 0) this.#unseen.set(key, unseen);
  }

  /** Whether the turn of this key may begin; if not, `onSeen` is called when it may. */
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
        this.#options.clock.after(patienceMs, () => this.#wake(key)),
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
    this.#turns.later(() => this.#look());
  }

  stop(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    this.#unseen.clear();
  }

  #look(): void {
    this.#isLookPlanned = false;
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
