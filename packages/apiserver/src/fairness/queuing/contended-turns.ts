import type { LoopTurns } from '@flotilla/timing';

/** What a queue of requests needs of the event loop. */
export type RequestTurns = Pick<LoopTurns, 'whenToBegin' | 'later'>;

/** Callers compete for so long after two of them were served in turn. */
const competitionMs = 100;
/** While callers compete, a turn has time for a third of the requests: each waits for several turns. */
const costFactor = 3;
/** `LoopTurns` counts a request without a body like so many bytes. */
const bytesPerRequest = 4096;

/**
 * Makes turns of the event loop shorter while several callers send requests. One caller alone has long turns, which cost less. With a
 * flood of creates, another user's create takes about four turns.
 */
export class ContendedTurns implements RequestTurns {
  readonly #turns: RequestTurns;
  #caller = '';
  #contendedUntil = 0;
  #now = 0;

  constructor(turns: RequestTurns) {
    this.#turns = turns;
  }

  /** A request has come. `now` is in milliseconds. */
  requested(caller: string, now: number): void {
    this.#now = now;
    if (caller === this.#caller) return;
    if (this.#caller !== '') this.#contendedUntil = now + competitionMs;
    this.#caller = caller;
  }

  whenToBegin(bodyBytes: number): Promise<void> | undefined {
    const isContended = this.#now < this.#contendedUntil;
    return this.#turns.whenToBegin(
      isContended ? costFactor * (bodyBytes + bytesPerRequest) - bytesPerRequest : bodyBytes,
    );
  }

  later(piece: () => void): void {
    this.#turns.later(piece);
  }
}
