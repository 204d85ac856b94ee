/** The source of time below `apps/`. It is always a parameter, so that tests and rehearsals run under virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. It jumps when the time of the machine is corrected. */
  now(): number;
  /** Milliseconds since some moment, for durations. It never jumps. */
  elapsed(): number;
  /**
   * Calls once after the delay, at most 24 days. The returned function cancels the call. Does not keep the process
   * alive.
   */
  after(milliseconds: number, call: () => void): () => void;
  /** Calls repeatedly. The returned function cancels the calls. Does not keep the process alive. */
  every(milliseconds: number, call: () => void): () => void;
}

/** Node fires a timer with a longer delay at once. */
const maxDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
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
