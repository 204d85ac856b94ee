import { systemClock as storeClock, type Clock as StoreClock } from './store/clock.ts';

/** Time for a whole server: given from outside, so that a fleet can run under virtual time. */
export interface Clock extends StoreClock {
  /**
   * Calls once after so many milliseconds, at most 24 days, unless the returned function is called first. Keeps no process
   * alive.
   */
  after(milliseconds: number, call: () => void): () => void;
}

/** Node takes a longer delay for none. Nothing here waits for a month. */
const longestMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  ...storeClock,
  after: (milliseconds, call) => {
    const timer = setTimeout(call, Math.min(milliseconds, longestMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
