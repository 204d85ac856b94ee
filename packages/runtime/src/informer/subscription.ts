import { keyText } from '@flotilla/kube';
import type { ObjectChange, Outlined, ReadonlyObject } from './object-source.ts';

/** `isLive` is false for existing objects, and for differences that a list found. */
export type Listener = (now: ReadonlyObject | undefined, old: ReadonlyObject | undefined, isLive: boolean) => void;

/** Called for existing objects in place of the listener, for those that need not be parsed. */
export type ExistingListener = (found: Outlined) => void;

/** Calls a listener once for every object as an addition, and then for its changes. */
export class Subscription {
  readonly #listener: Listener;
  readonly #existing: ExistingListener | undefined;
  /** While existing objects are replayed: the keys that the replay has reached, and those that changed before that. */
  #replayed: ReadonlySet<string> | undefined;
  #changedFirst: Set<string> | undefined;
  #isStopped = false;
  #caughtUp: PromiseWithResolvers<void> | undefined;

  constructor(listener: Listener, existing?: ExistingListener) {
    this.#listener = listener;
    this.#existing = existing;
  }

  changed(change: ObjectChange): void {
    if (this.#isStopped) return;
    if (this.#replayed === undefined) return this.#listener(change.now(), change.old(), change.isLive);
    const key = keyText(change.key);
    if (this.#has(key)) return this.#listener(change.now(), change.old(), change.isLive);
    // Also for a deletion: the replay may still have the object.
    (this.#changedFirst ??= new Set()).add(key);
    const now = change.now();
    if (now !== undefined) this.#listener(now, undefined, change.isLive);
  }

  /** From now on the listener awaits all existing objects, also those that it has got before. The caller adds the keys that it replays. */
  beginReplay(replayed: ReadonlySet<string>): void {
    this.#replayed = replayed;
    this.#changedFirst = undefined;
    this.#caughtUp ??= Promise.withResolvers();
  }

  /** Whether the listener has not got an object that the replay reaches for the first time. */
  awaits(key: string): boolean {
    return !this.#isStopped && this.#changedFirst?.has(key) !== true;
  }

  /** Replays an object that the listener awaits. Returns false if the listener needs the object itself. */
  replayOutlined(found: Outlined): boolean {
    if (this.#existing === undefined) return false;
    this.#existing(found);
    return true;
  }

  /** Only for an object that the listener awaits. */
  replay(object: ReadonlyObject): void {
    this.#listener(object, undefined, false);
  }

  #has(key: string): boolean {
    return this.#replayed?.has(key) === true || this.#changedFirst?.has(key) === true;
  }

  endReplay(): void {
    this.#replayed = undefined;
    this.#changedFirst = undefined;
    this.#caughtUp?.resolve();
    this.#caughtUp = undefined;
  }

  /** Resolves when the replay is done. */
  async whenCaughtUp(): Promise<void> {
    await this.#caughtUp?.promise;
  }

  stop(): void {
    this.#isStopped = true;
    this.endReplay();
  }
}
