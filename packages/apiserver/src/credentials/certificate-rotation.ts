import type { Clock } from '@flotilla/timing';
import type { ServerIdentity } from './certificates.ts';

export interface RotationOptions {
  readonly clock: Clock;
  /** The identity to use now: reads files again, and renews certificates that are due. */
  readonly current: () => Promise<ServerIdentity>;
  readonly use: (identity: ServerIdentity) => void | Promise<void>;
  /** Called once for each different error. The server keeps its identity, and retries. */
  readonly failed: (error: unknown) => void;
}

/** Files are replaced rarely, and certificates are renewed months before they expire. */
const checkIntervalMs = 60_000;

/** Checks every minute whether the identity has changed, and uses the new one. Returns a function that stops it. */
export function rotateCertificates(started: ServerIdentity, options: RotationOptions): () => void {
  const { clock, current, use, failed } = options;
  let inUse = started;
  let isChecking = false;
  let lastFault: string | undefined;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    try {
      const next = await current();
      if (isSame(next, inUse)) return void (lastFault = undefined);
      await use(next);
      [inUse, lastFault] = [next, undefined];
    } catch (error) {
      const fault = (error as Error).message;
      if (fault !== lastFault) failed(error);
      lastFault = fault;
    } finally {
      isChecking = false;
    }
  };
  return clock.every(checkIntervalMs, () => void check());
}

function isSame(a: ServerIdentity, b: ServerIdentity): boolean {
  return (
    a.key === b.key &&
    a.certificate === b.certificate &&
    a.authority === b.authority &&
    a.clientAuthority === b.clientAuthority
  );
}
