/** Time for everything below `apps/`. It comes in from outside, so that tests and rehearsals run under virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls once after so many milliseconds, at most 24 days, unless the returned function is called first. Does not keep
   * the process alive.
   */
  after(milliseconds: number, call: () => void): () => void;
  /** Calls again and again until the returned function is called. Does not keep the process alive. */
  every(milliseconds: number, call: () => void): () => void;
}

/** Node fires a timer with a longer delay at once. */
const maxDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, Math.min(milliseconds, maxDelayMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
  every: (milliseconds, call) => {
    const timer = setInterval(call, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};
