import type { ClientHttp2Session } from 'node:http2';
import type { Clock } from '@flotilla/timing';

/** client-go's: a server that was silent for so long is asked whether it is there, */
const quietMs = 30_000;
/** has so long to say so, */
const pongMs = 15_000;
/** and is let go when nobody asked it anything for so long. */
const idleMs = 90_000;

interface Watched {
  readonly session: ClientHttp2Session;
  /** Whether nobody waits for an answer. */
  readonly isIdle: () => boolean;
  readonly retire: () => void;
}

/** Ends a session whose other side is gone without a word, which TCP alone may not notice for a quarter of an hour. */
export function keepHealthy({ session, isIdle, retire }: Watched, clock: Clock) {
  let heardAt = clock.now();
  let usedAt = heardAt;
  let failure: string | undefined;
  let cancel: () => void = () => undefined;

  const check = (): void => {
    const now = clock.now();
    if (!isIdle()) usedAt = now;
    if (now - usedAt >= idleMs) return retire();
    const quiet = now - heardAt;
    if (quiet < quietMs) cancel = clock.after(quietMs - quiet, check);
    else ask();
  };
  const ask = (): void => {
    if (session.closed || session.destroyed) return;
    cancel = clock.after(pongMs, () => {
      failure = `the server did not answer a ping within ${pongMs / 1000} s`;
      session.destroy();
    });
    session.ping((error) => {
      if (error !== null) return;
      cancel();
      heardAt = clock.now();
      cancel = clock.after(quietMs, check);
    });
  };
  cancel = clock.after(quietMs, check);
  session.once('close', () => cancel());

  return {
    /** The server said something to somebody. */
    heard: (): void => {
      heardAt = usedAt = clock.now();
    },
    /** Why the session was ended from here. */
    get failure(): string | undefined {
      return failure;
    },
  };
}
