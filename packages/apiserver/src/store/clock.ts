/** Time as the stores see it. Given from outside, so that a fleet can run under virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` again and again until the returned function is called. Does not keep the process alive. */
  every(intervalMs: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  every: (intervalMs, task) => {
    const timer = setInterval(task, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
