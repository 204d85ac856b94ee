import { keyText, type ObjectKey } from '@flotilla/kube';
import type { Source } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import type { StartedRollouts } from '../family/started-rollouts.ts';

/**
 * On two cores, the embedded members of a fleet report about 350 rollouts a second, so these take 6 seconds, and none is overdue. Remote
 * members that need a second for each still get 2,000 a second, which is more than a hub writes.
 */
const maxInFlight = 2_000;

/** Placements that wait are looked at this often, in case the members of those before them do not answer. */
const checkMs = 1_000;

/**
 * The placements of a family whose first rollout waits, because thousands of others are in flight. Members then work on placements one
 * after another. If they began with all of them at once, none would be finished for minutes, and the hub would have to say in
 * between that each is in progress.
 */
export class FirstRollouts {
  readonly #started: StartedRollouts;
  readonly #clock: Clock;
  /** The one that waits longest first. Each stays until its turn, so that it keeps its place if it must wait again. */
  readonly #waiting = new Map<string, ObjectKey>();
  /** The one that was woken last, until its turn: how many rollouts it starts is not known before. */
  #woken: string | undefined;
  #wake: (key: ObjectKey) => void = () => {};
  #cancelTimer: (() => void) | undefined;

  constructor(started: StartedRollouts, clock: Clock) {
    this.#started = started;
    this.#clock = clock;
  }

  /** If it returns true, the source requests a reconcile of the placement when it may begin. If not, it begins in this turn. */
  mustWait(placement: ObjectKey): boolean {
    if (!this.#isFull()) {
      this.forget(placement);
      return false;
    }
    const key = keyText(placement);
    if (this.#woken === key) this.#woken = undefined;
    this.#waiting.set(key, placement);
    this.#startTimer();
    return true;
  }

  /** A placement that has nothing to wait for, or is gone. */
  forget(placement: ObjectKey): void {
    const key = keyText(placement);
    if (!this.#waiting.delete(key)) return;
    if (this.#woken === key) this.#woken = undefined;
    // Once this turn has decided: it may have started no rollout, if no cluster fits.
    queueMicrotask(() => this.#wakeNext());
  }

  readonly source: Source = {
    subscribe: (wake) => {
      this.#wake = wake;
      const unsubscribe = this.#started.subscribe(() => this.#wakeNext());
      return () => {
        unsubscribe();
        this.#stop();
      };
    },
    isAtRest: () => this.#waiting.size === 0,
  };

  #isFull(): boolean {
    return this.#started.inFlight >= maxInFlight;
  }

  #wakeNext(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#woken !== undefined || this.#isFull()) return;
    const [text, key] = first;
    this.#woken = text;
    this.#wake(key);
  }

  #startTimer(): void {
    if (this.#waiting.size === 0) return;
    this.#cancelTimer ??= this.#clock.after(checkMs, () => {
      this.#cancelTimer = undefined;
      this.#woken = undefined;
      this.#wakeNext();
      this.#startTimer();
    });
  }

  #stop(): void {
    this.#waiting.clear();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
