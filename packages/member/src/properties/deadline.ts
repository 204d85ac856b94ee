import type { Clock } from '@flotilla/timing';

export interface Deadline {
  readonly milliseconds: number;
  readonly clock: Clock;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/** Waits for the promise until the deadline. Does not cancel the work behind it. */
export async function within<T>({ milliseconds, clock, signal }: Deadline, work: Promise<T>): Promise<T | 'timed-out'> {
  const over = Promise.withResolvers<'timed-out'>();
  const end = (): void => over.resolve('timed-out');
  const cancel = clock.after(milliseconds, end);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
  }
}
