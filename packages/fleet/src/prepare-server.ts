import { hostname, networkInterfaces } from 'node:os';
import { announcePresence, bootstrap, type ApiServer, type Snapshot } from '@flotilla/apiserver';
import type { Housekeeping } from '@flotilla/housekeeping';
import type { KeepHouseOptions } from './server-housekeeping.ts';

export interface PrepareServerOptions extends KeepHouseOptions {
  readonly host: string;
  readonly port: number;
  /** PEM: signs client certificates. */
  readonly clientAuthority: string;
  /** Without housekeeping. */
  readonly isBare: boolean;
  /** A server on a full disk starts all the same: who else could empty it? */
  readonly isDiskFull: () => boolean;
  /** What a new server has in its first moment, before anybody else has made anything. */
  readonly madeFirst?: (snapshot: Snapshot) => void;
}

/** A house that was kept before is in order: its keeper may come when those who waited for the server have been let in. */
const keeperComesAfterMs = 100;

/** Creates the objects that a server must have, and starts its housekeeping. */
export async function prepareServer(api: ApiServer, options: PrepareServerOptions): Promise<Housekeeping> {
  const { host, port, isBare, clientAuthority, clock, logger } = options;
  const isFresh = api.parts.store.revision === 0;
  const failed = (error: unknown): void => {
    if (isFresh || !options.isDiskFull()) throw error;
    logger.error('own objects not stored, disk full', { error });
  };
  await bootstrap(api, port).catch((error: unknown) => {
    failed(error);
    api.markStarted();
  });
  if (isFresh) options.madeFirst?.(api.parts.store.snapshot());
  let starting: Promise<void> | undefined;
  let housekeeping: Housekeeping | undefined;
  let isStarted = isBare;
  const start = async (): Promise<void> => {
    try {
      const { keepHouse } = await import('./server-housekeeping.ts');
      housekeeping = await keepHouse(api, options);
    } catch (error) {
      logger.error('housekeeping did not start', { error });
    }
    isStarted = true;
  };
  const [presence] = await Promise.all([
    announcePresence(api, { port, address: addressOf(host), hostname: hostname(), clientAuthority, failed }),
    isFresh && !isBare ? (starting = start()) : undefined,
  ]);
  const cancel = isFresh || isBare ? undefined : clock.after(keeperComesAfterMs, () => void (starting = start()));
  return {
    isAtRest: () => isStarted && housekeeping?.isAtRest() !== false,
    stop: async () => {
      cancel?.();
      await starting;
      await housekeeping?.stop();
      await presence.stop();
    },
  };
}

/** Who listens everywhere is reached at the first address that others can use. */
function addressOf(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const family = host === '::' ? 'IPv6' : 'IPv4';
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const usable = addresses.filter((found) => !found.internal && !found.address.startsWith('fe80:'));
  return (usable.find((found) => found.family === family) ?? usable[0])?.address ?? '127.0.0.1';
}
