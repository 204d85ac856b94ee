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
  /** While existing objects are replayed: the keys that the listener has got. */
  #known: Set<string> | undefined;
  #isStopped = false;
  #caughtUp: PromiseWithResolvers<void> | undefined;

  constructor(listener: Listener, existing?: ExistingListener) {
    this.#listener = listener;
    this.#existing = existing;
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

  /** From now on the listener awaits all existing objects, also those that it has got before. */
  beginReplay(): void {
    this.#known = new Set();
    this.#caughtUp ??= Promise.withResolvers();
  }

  awaits(key: string): boolean {
    return !this.#isStopped && this.#known?.has(key) === false;
  }

  /** Replays an object that the listener awaits. Returns false if the listener needs the object itself. */
  replayOutlined(key: string, found: Outlined): boolean {
    if (this.#existing === undefined) return false;
    this.#known?.add(key);
    this.#existing(found);
    return true;
  }

  /** Only for an object that the listener awaits. */
  replay(key: string, object: ReadonlyObject): void {
    this.#known?.add(key);
    this.#listener(object, undefined, false);
  }

  endReplay(): void {
    this.#known = undefined;
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
