/** Time as a client needs it; given from outside, so that tests and rehearsals own it. An API server's clock is one too. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls once after so many milliseconds, at most 24 days, unless the returned function is called first. Keeps no process
   * alive.
   */
  after(milliseconds: number, call: () => void): () => void;
}

/** Node takes a longer delay for none. Nothing here waits for a month. */
const longestMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, Math.min(milliseconds, longestMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Waits, or rejects with the signal's reason. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
