import type { RequestTurns } from './contended-turns.ts';

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
  /** Requests of this turn by caller. It is cleared only after a turn in which it matters, so that most turns need no timer. */
  readonly #begun = new Map<string, number>();
  /** Requests by caller. The first caller is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #awaitedTurns = 0;

  constructor(turns: RequestTurns) {
    this.#turns = turns;
  }

  /** Returns undefined if the request may begin now. */
  whenToBegin(caller: string): Promise<void> | undefined {
    const begun = this.#begun.get(caller) ?? 0;
    if (begun < maxAtOnce && !this.#waiting.has(caller)) {
      this.#begun.set(caller, begun + 1);
      if (begun + 1 === maxAtOnce || this.#begun.size === maxCounted) this.#turns.later(() => this.#begun.clear());
      return undefined;
    }
    if (this.#count === 0 && this.#hasTurn()) return undefined;
    return new Promise((begin) => {
      const line = this.#waiting.get(caller);
      if (line) line.push(begin);
      else this.#waiting.set(caller, [begin]);
      this.#count++;
    });
  }

  /** Whether the caller has this number of requests that wait, and at least one. */
  isFull(caller: string, limit: number): boolean {
    return this.#count > 0 && this.#count >= limit && (this.#waiting.get(caller)?.length ?? 0) >= Math.max(limit, 1);
  }

  #hasTurn(): boolean {
    while (this.#awaitedTurns < Math.min(maxAwaitedTurns, this.#count + 1)) {
      const turn = this.#turns.whenToBegin(0);
      if (turn === undefined) return true;
      this.#awaitedTurns++;
      void turn.then(() => {
        this.#awaitedTurns--;
        this.#beginNext();
        while (this.#count > 0 && this.#hasTurn()) this.#beginNext();
      });
    }
    return false;
  }

  #beginNext(): void {
    const [caller, line] = this.#waiting.entries().next().value ?? [];
    if (caller === undefined || line === undefined) return;
    this.#waiting.delete(caller);
    this.#count--;
    line.shift()?.();
    if (line.length > 0) this.#waiting.set(caller, line);
  }
}
