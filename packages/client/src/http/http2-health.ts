import type { ClientHttp2Session } from 'node:http2';
import type { Clock } from '@flotilla/timing';

/** After this long without data the client sends a ping. The three intervals are client-go's. */
const quietMs = 30_000;
/** How long the server has to answer a ping. */
const pongMs = 15_000;
/** A session without requests for this long is closed. */
const idleMs = 90_000;

interface Watched {
  readonly session: ClientHttp2Session;
  /** Whether no request is waiting for a response. */
  readonly isIdle: () => boolean;
  readonly retire: () => void;
}

/** Closes a session whose peer is gone. TCP alone may take fifteen minutes to notice. */
export function monitorSession({ session, isIdle, retire }: Watched, clock: Clock) {
  let heardAt = clock.elapsed();
  let usedAt = heardAt;
  let failure: string | undefined;
  let cancel: () => void = () => undefined;

  const check = (): void => {
    const now = clock.elapsed();
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
      heardAt = clock.elapsed();
      cancel = clock.after(quietMs, check);
    });
  };
  cancel = clock.after(quietMs, check);
  session.once('close', () => cancel());

  return {
    /** The server sent something on any stream. */
    onData: (): void => {
      heardAt = usedAt = clock.elapsed();
    },
    /** Why the session was closed from this side. */
    get failure(): string | undefined {
      return failure;
    },
  };
}
