import type { LoopTurns } from '@flotilla/timing';
import type { CallerThrottle } from './caller-throttle.ts';
import { getMs } from './request-cost.ts';

/** What a queue of requests needs of the event loop. */
export type RequestTurns = Pick<LoopTurns, 'whenToBegin' | 'later'>;

/** Turns that one queue asks for at a time. More would make others wait behind it. */
export const maxAwaitedTurns = 4;

/** Requests of one caller that begin in a turn without asking for time. */
const maxAtOnce = 8;
/** Callers whose requests of this turn are counted. */
const maxCounted = 1024;

/**
 * Requests that need no seat, only time in a turn of the event loop. One read of a socket may bring hundreds of them. A caller
 * with few never waits. The others take turns, so that one does not wait for all requests of another.
 */
export class TurnQueue {
  readonly #turns: RequestTurns;
  readonly #throttle: Pick<CallerThrottle, 'holds' | 'charge' | 'whenFree'>;
  /** Requests of this turn by caller. It is cleared only after a turn in which it matters, so that most turns need no timer. */
  readonly #begun = new Map<string, number>();
  /** Requests by caller. The first caller is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #awaitedTurns = 0;

  constructor(turns: RequestTurns, throttle: Pick<CallerThrottle, 'holds' | 'charge' | 'whenFree'>) {
    this.#turns = turns;
    this.#throttle = throttle;
  }

  /** Returns undefined if the request may begin now. */
  whenToBegin(caller: string): Promise<void> | undefined {
    if (!this.#waiting.has(caller) && !this.#throttle.holds(caller) && this.#mayBegin(caller)) {
      this.#throttle.charge(caller, getMs);
      return undefined;
    }
    return new Promise((begin) => {
      const line = this.#waiting.get(caller);
      if (line) line.push(begin);
      else this.#waiting.set(caller, [begin]);
      this.#count++;
      // Otherwise those that wait come first, and have asked for turns.
      if (this.#awaitedTurns === 0) this.#beginFree();
    });
  }

  /** Whether the caller has this number of requests that wait, and at least one. */
  isFull(caller: string, limit: number): boolean {
    return this.#count > 0 && this.#count >= limit && (this.#waiting.get(caller)?.length ?? 0) >= Math.max(limit, 1);
  }

  #mayBegin(caller: string): boolean {
    const begun = this.#begun.get(caller) ?? 0;
    if (begun >= maxAtOnce) return this.#count === 0 && this.#hasTurn();
    this.#begun.set(caller, begun + 1);
    if (begun + 1 === maxAtOnce || this.#begun.size === maxCounted) this.#turns.later(() => this.#begun.clear());
    return true;
  }

  #hasTurn(): boolean {
    while (this.#awaitedTurns < Math.min(maxAwaitedTurns, this.#count + 1)) {
      const turn = this.#turns.whenToBegin(0);
      if (turn === undefined) return true;
      this.#awaitedTurns++;
      void turn.then(() => {
        this.#awaitedTurns--;
        const next = this.#nextCaller();
        if (next !== undefined) this.#beginOf(next);
        this.#beginFree();
      });
    }
    return false;
  }

  /** Begins as many requests as have time in this turn. */
  readonly #beginFree = (): void => {
    while (this.#count > 0) {
      const next = this.#nextCaller();
      if (next === undefined) return this.#throttle.whenFree(this.#beginFree);
      if (!this.#hasTurn()) return;
      this.#beginOf(next);
    }
  };

  #nextCaller(): string | undefined {
    return this.#waiting.keys().find((caller) => !this.#throttle.holds(caller));
  }

  /** The caller is the last one afterwards. */
  #beginOf(caller: string): void {
    const line = this.#waiting.get(caller) ?? [];
    this.#waiting.delete(caller);
    this.#count--;
    this.#throttle.charge(caller, getMs);
    line.shift()?.();
    if (line.length > 0) this.#waiting.set(caller, line);
  }
}
