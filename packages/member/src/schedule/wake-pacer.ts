import type { Clock } from '@flotilla/timing';

/** So many rounds in a row begin as soon as they are asked for. */
const atOnce = 5;

const firstDelayMs = 20;

/** Whoever fights us over an object is answered twice a second: seldom enough to bear, often enough to be quick. */
const maxDelayMs = 500;

/** After so much silence a row is over. */
const silenceMs = 1_000;

/** How long to wait with a Work that is woken again as soon as its round is over. */
export class WakePacer {
  readonly #clock: Clock;
  readonly #rows = new Map<string, { readonly rounds: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  roundBegins(key: string): void {
    this.#rows.set(key, { rounds: this.#roundsInRow(key) + 1, at: this.#clock.now() });
  }

  delayOf(key: string): number {
    const more = this.#roundsInRow(key) - atOnce;
    return more < 0 ? 0 : Math.min(firstDelayMs * 2 ** more, maxDelayMs);
  }

  forget(key: string): void {
    this.#rows.delete(key);
  }

  #roundsInRow(key: string): number {
    const row = this.#rows.get(key);
    return row !== undefined && this.#clock.now() - row.at < silenceMs ? row.rounds : 0;
  }
}
