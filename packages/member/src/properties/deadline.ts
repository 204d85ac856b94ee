import type { Clock } from '@flotilla/client';

/** Waits for something, but not longer than so; it goes on by itself when nobody waits any more. */
export async function within<T>(milliseconds: number, clock: Clock, work: Promise<T>): Promise<T | 'timed-out'> {
  const timer = Promise.withResolvers<'timed-out'>();
  const cancel = clock.after(milliseconds, () => timer.resolve('timed-out'));
  try {
    return await Promise.race([work, timer.promise]);
  } finally {
    cancel();
  }
}
