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

/** Does what a server needs before it is anybody's; the result undoes what must not outlast it. */
export async function prepareServer(api: ApiServer, options: PrepareServerOptions): Promise<() => Promise<void>> {
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
  let housekeeping: Promise<Housekeeping | undefined> | undefined;
  const keepHouse = (): Promise<Housekeeping | undefined> =>
    (housekeeping = startKeepingHouse(api, options).catch((error: unknown) => {
      logger.error('housekeeping did not start', { error });
      return undefined;
    }));
  const [presence] = await Promise.all([
    announcePresence(api, { port, address: addressOf(host), hostname: hostname(), clientAuthority, failed }),
    isFresh && !isBare ? keepHouse() : undefined,
  ]);
  const cancel = isFresh || isBare ? undefined : clock.after(keeperComesAfterMs, () => void keepHouse());
  return async () => {
    cancel?.();
    const keeper = await housekeeping;
    await keeper?.stop();
    await presence.stop();
  };
}

async function startKeepingHouse(api: ApiServer, options: KeepHouseOptions): Promise<Housekeeping> {
  const { keepHouse } = await import('./server-housekeeping.ts');
  return keepHouse(api, options);
}

/** Who listens everywhere is reached at the first address that others can use. */
function addressOf(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const family = host === '::' ? 'IPv6' : 'IPv4';
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const usable = addresses.filter((found) => !found.internal && !found.address.startsWith('fe80:'));
  return (usable.find((found) => found.family === family) ?? usable[0])?.address ?? '127.0.0.1';
}
