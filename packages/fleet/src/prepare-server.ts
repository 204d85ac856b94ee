import { hostname, networkInterfaces } from 'node:os';
import { bootstrap, publishServer, storePrepared, type ApiServer, type Snapshot } from '@flotilla/apiserver';
import type { Housekeeping } from '@flotilla/housekeeping';
import type { PreparedObjects, ReadPrepared } from './prepared/prepared-files.ts';
import type { ServerHousekeepingOptions } from './server-housekeeping.ts';

export interface PrepareServerOptions extends ServerHousekeepingOptions {
  readonly host: string;
  readonly port: number;
  /** The CA of client certificates, PEM. */
  readonly clientAuthority: string;
  /** Without housekeeping. */
  readonly isBare: boolean;
  /** Called if the server is new. Not for a bare server: housekeeping made some of the objects. */
  readonly prepared?: ReadPrepared | undefined;
  /** A server on a full disk starts all the same: only through it can objects be deleted. */
  readonly isDiskFull: () => boolean;
  /** Called with the objects of a new server, before any client has written. */
  readonly onBootstrapped?: (snapshot: Snapshot) => void;
}

/** After a restart the namespaces have their objects already, so housekeeping waits until the first clients are served. */
const housekeepingDelayMs = 100;

/** Creates the objects that a server must have, and starts its housekeeping. */
export async function prepareServer(api: ApiServer, options: PrepareServerOptions): Promise<Housekeeping> {
  const { host, port, isBare, clientAuthority, clock, logger } = options;
  const isFresh = api.parts.store.revision === 0;
  const failed = (error: unknown): void => {
    if (isFresh || !options.isDiskFull()) throw error;
    logger.error('bootstrap objects not stored, disk full', { error });
  };
  const prepared = isFresh && !isBare ? await options.prepared?.() : undefined;
  await createObjects(api, port, prepared?.server).catch((error: unknown) => {
    failed(error);
    api.markStarted();
  });
  if (isFresh) options.onBootstrapped?.(api.parts.store.snapshot());
  if (prepared?.hub !== undefined) await storeIn(api, prepared.hub);
  let starting: Promise<void> | undefined;
  let housekeeping: Housekeeping | undefined;
  let isStarted = isBare;
  const startControllers = async (): Promise<void> => {
    try {
      const { startServerHousekeeping } = await import('./server-housekeeping.ts');
      housekeeping = await startServerHousekeeping(api, options);
    } catch (error) {
      logger.error('housekeeping did not start', { error });
    }
    isStarted = true;
  };
  const [presence] = await Promise.all([
    publishServer(api, { port, address: addressOf(host), hostname: hostname(), clientAuthority, failed }),
    isFresh && !isBare ? (starting = startControllers()) : undefined,
  ]);
  const cancel =
    isFresh || isBare ? undefined : clock.after(housekeepingDelayMs, () => void (starting = startControllers()));
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

/** Bootstrap reads prepared objects, and creates those that are missing. */
async function createObjects(
  api: ApiServer,
  port: number,
  prepared: PreparedObjects['server'] | undefined,
): Promise<void> {
  if (prepared !== undefined) await storeIn(api, prepared);
  await bootstrap(api, port);
}

function storeIn({ parts: { store, now, uid } }: ApiServer, prepared: string): Promise<void> {
  return storePrepared(store, prepared, { now: now(), uid });
}

/** The address to publish. For a server that listens on all addresses, the first that is not loopback or link-local. */
function addressOf(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const family = host === '::' ? 'IPv6' : 'IPv4';
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const usable = addresses.filter((found) => !found.internal && !found.address.startsWith('fe80:'));
  return (usable.find((found) => found.family === family) ?? usable[0])?.address ?? '127.0.0.1';
}
