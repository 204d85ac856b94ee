import type { Clock } from '@flotilla/timing';
import type { ServerIdentity } from './certificates.ts';

export interface RotationOptions {
  readonly clock: Clock;
  /** What the server should show now: reads files again, renews what is about to end. */
  readonly current: () => Promise<ServerIdentity>;
  readonly use: (identity: ServerIdentity) => void | Promise<void>;
  /** Told what went wrong, once for each fault; the server goes on with what it has, and tries again. */
  readonly failed: (error: unknown) => void;
}

/** Files are replaced rarely, and whoever replaces them waits; certificates are renewed months before they end. */
const everyMs = 60_000;

/** Looks every minute whether the server should show another certificate, and has it shown. Returns how to stop. */
export function rotateCertificates(started: ServerIdentity, options: RotationOptions): () => void {
  const { clock, current, use, failed } = options;
  let shown = started;
  let isLooking = false;
  let lastFault: string | undefined;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const next = await current();
      if (isSame(next, shown)) return void (lastFault = undefined);
      await use(next);
      [shown, lastFault] = [next, undefined];
    } catch (error) {
      const fault = (error as Error).message;
      if (fault !== lastFault) failed(error);
      lastFault = fault;
    } finally {
      isLooking = false;
    }
  };
  return clock.every(everyMs, () => void look());
}

function isSame(a: ServerIdentity, b: ServerIdentity): boolean {
  return (
    a.key === b.key &&
    a.certificate === b.certificate &&
    a.authority === b.authority &&
    a.clientAuthority === b.clientAuthority
  );
}
