import { http2Patience } from '../limits/limits.ts';

/** As much of a session as its connection needs. */
export interface WatchedSession {
  readonly closed: boolean;
  readonly destroyed: boolean;
  close(): void;
  /** Calls back with an error, or undefined, when the client has answered or the session is over. */
  ping(answered: (error: Error | null) => void): boolean;
}

/**
 * One HTTP/2 connection and how long the server puts up with it. Time is counted in calls of `tick`, one a second, so that a
 * request costs no look at a clock: two numbers are added to for each stream.
 */
export class Http2Connection {
  /** Streams that were ever opened, and those of them that are over. */
  opened = 0;
  ended = 0;
  readonly #session: WatchedSession;
  readonly #cut: () => void;
  #hasPreface = false;
  #openedBefore = 0;
  /** Ticks since something was asked for, or since the session began to close. */
  #quiet = 0;
  #ticksDestroyed = 0;
  #isPinging = false;

  constructor(session: WatchedSession, cut: () => void) {
    this.#session = session;
    this.#cut = cut;
  }

  /** The client's first SETTINGS have come. */
  begin(): void {
    this.#hasPreface = true;
  }

  tick(): void {
    const { closed, destroyed } = this.#session;
    if (destroyed) this.#tickDestroyed();
    else if (closed) this.#tickClosing();
    else if (!this.#hasPreface) this.#tickSilent();
    else this.#tickOpen();
  }

  /** A session may wait for ever for a last write that failed. Its socket is cut if it does not end by itself. */
  #tickDestroyed(): void {
    if (++this.#ticksDestroyed >= http2Patience.endingTicks) this.#cut();
  }

  #tickSilent(): void {
    if (++this.#quiet >= http2Patience.prefaceTicks) this.#cut();
  }

  /** A connection with open streams stays, however long a watch has nothing to tell. */
  #tickOpen(): void {
    if (this.opened !== this.ended || this.opened !== this.#openedBefore) {
      this.#openedBefore = this.opened;
      this.#quiet = 0;
    } else if (++this.#quiet >= http2Patience.idleTicks) {
      this.#quiet = 0;
      this.#session.close();
    }
  }

  /**
   * One side has said goodbye, and open streams may go on for as long as they last. A client that has gone is not noticed while
   * a write to it hangs, so it is asked whether it is still there.
   */
  #tickClosing(): void {
    this.#quiet++;
    if (this.#isPinging) {
      if (this.#quiet >= http2Patience.pongTicks) this.#cut();
    } else if (this.#quiet >= http2Patience.pingTicks) {
      this.#quiet = 0;
      this.#isPinging = true;
      this.#session.ping((error) => {
        if (error !== null) return;
        this.#isPinging = false;
        this.#quiet = 0;
      });
    }
  }
}
