import type { ClientHttp2Session } from 'node:http2';
import type { Clock } from '../clock.ts';

/** client-go's: a server that was silent for so long is asked whether it is there, */
const quietMs = 30_000;
/** has so long to say so, */
const pongMs = 15_000;
/** and is let go when nobody asked it anything for so long. */
const idleMs = 90_000;

/** Ends a session whose other side is gone without a word, which TCP alone may not notice for a quarter of an hour. */
export function keepHealthy(session: ClientHttp2Session, clock: Clock, isIdle: () => boolean) {
  let heardAt = clock.now();
  let idleSince = heardAt;
  let failure: string | undefined;
  let cancel: () => void = () => undefined;

  const check = (): void => {
    const now = clock.now();
    if (!isIdle()) idleSince = now;
    if (now - idleSince >= idleMs) return session.close();
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
    heard: (): void => {
      heardAt = clock.now();
    },
    /** Why the session was ended from here. */
    get failure(): string | undefined {
      return failure;
    },
  };
}
