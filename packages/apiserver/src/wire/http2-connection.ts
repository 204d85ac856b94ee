import { http2Ticks } from '../limits/limits.ts';

/** The part of a Node session that this needs. */
export interface WatchedSession {
  readonly closed: boolean;
  readonly destroyed: boolean;
  close(): void;
  /** Calls back with null when the client has answered, and with an error if the session is over. */
  ping(answered: (error: Error | null) => void): boolean;
}

/**
 * Closes an HTTP/2 connection that is idle or broken. Counts time in calls of `tick`, one a second, so that a request reads no
 * clock: a stream only increments two numbers.
 */
export class Http2Connection {
  /** Streams ever opened, and those of them that have ended. */
  opened = 0;
  ended = 0;
  readonly #session: WatchedSession;
  readonly #cut: () => void;
  #hasPreface = false;
  #openedBefore = 0;
  /** Ticks since the last stream, or since the session began to close. */
  #idleTicks = 0;
  #ticksDestroyed = 0;
  #isPinging = false;

  constructor(session: WatchedSession, cut: () => void) {
    this.#session = session;
    this.#cut = cut;
  }

  /** Called when the client's first SETTINGS have arrived. */
  begin(): void {
    this.#hasPreface = true;
  }

  tick(): void {
    const { closed, destroyed } = this.#session;
    if (destroyed) this.#tickDestroyed();
    else if (closed) this.#tickClosing();
    else if (!this.#hasPreface) this.#tickBeforePreface();
    else this.#tickOpen();
  }

  /** A destroyed session may wait forever for a last write that failed, so that its socket is cut. */
  #tickDestroyed(): void {
    if (++this.#ticksDestroyed >= http2Ticks.endingTicks) this.#cut();
  }

  #tickBeforePreface(): void {
    if (++this.#idleTicks >= http2Ticks.prefaceTicks) this.#cut();
  }

  /** A connection with open streams stays, even if a watch has no events. */
  #tickOpen(): void {
    if (this.opened !== this.ended || this.opened !== this.#openedBefore) {
      this.#openedBefore = this.opened;
      this.#idleTicks = 0;
    } else if (++this.#idleTicks >= http2Ticks.idleTicks) {
      this.#idleTicks = 0;
      this.#session.close();
    }
  }

  /**
   * After GOAWAY open streams may continue. While a write hangs, Node does not notice that the client is gone, so that this
   * pings the client.
   */
  #tickClosing(): void {
    this.#idleTicks++;
    if (this.#isPinging) {
      if (this.#idleTicks >= http2Ticks.pongTicks) this.#cut();
    } else if (this.#idleTicks >= http2Ticks.pingTicks) {
      this.#idleTicks = 0;
      this.#isPinging = true;
      this.#session.ping((error) => {
        if (error !== null) return;
        this.#isPinging = false;
        this.#idleTicks = 0;
      });
    }
  }
}
