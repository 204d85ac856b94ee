import { hostname, networkInterfaces } from 'node:os';
import {
  bootstrap,
  completePrepared,
  publishServer,
  storePrepared,
  type ApiServer,
  type Snapshot,
} from '@flotilla/apiserver';
import type { Housekeeping } from '@flotilla/housekeeping';
import type { PreparedPart, ReadPrepared } from './prepared/prepared-files.ts';
import type { ServerHousekeepingOptions } from './server-housekeeping.ts';

export interface PrepareServerOptions extends ServerHousekeepingOptions {
  readonly host: string;
  readonly port: number;
  /** The CA of client certificates, PEM. */
  readonly clientAuthority: string;
  /** Without housekeeping. */
  readonly isBare: boolean;
  /** Called if the server is new. Not for a bare server: housekeeping made some of the objects. */
  readonly prepared: ReadPrepared;
  /** Objects to store beside those of every server. */
  readonly addedPart: PreparedPart | undefined;
  /** Housekeeping of a new server with prepared objects waits for it: these have all that it would create. */
  readonly housekeepingAfter: Promise<unknown> | undefined;
  /** A server on a full disk starts all the same: only through it can objects be deleted. */
  readonly isDiskFull: () => boolean;
  /** Called with the objects of a new server, before any client has written. */
  readonly onBootstrapped?: (snapshot: Snapshot) => void;
}

export interface PreparedServer extends Housekeeping {
  /** The server is new, and has got the objects of `addedPart`. */
  readonly hasAddedPart: boolean;
}

/** After a restart the namespaces have their objects already, so housekeeping waits until the first clients are served. */
const housekeepingDelayMs = 100;

/** Creates the objects that a server must have, and starts its housekeeping. */
export async function prepareServer(api: ApiServer, options: PrepareServerOptions): Promise<PreparedServer> {
  const { host, port, isBare, clientAuthority, clock, logger } = options;
  const isFresh = api.parts.store.revision === 0;
  const failed = (error: unknown): void => {
    if (isFresh || !options.isDiskFull()) throw error;
    logger.error('bootstrap objects not stored, disk full', { error });
  };
  const usesPrepared = isFresh && !isBare;
  const prepared = usesPrepared ? await options.prepared('server') : undefined;
  const store = (text: string): Promise<void> => storeIn(api, text, options);
  const created = prepared ? store(prepared).then(() => completePrepared(api, port)) : bootstrap(api, port);
  await created.catch((error: unknown) => {
    failed(error);
    api.markStarted();
  });
  if (isFresh) options.onBootstrapped?.(api.parts.store.snapshot());
  const added = usesPrepared && options.addedPart ? await options.prepared(options.addedPart) : undefined;
  if (added !== undefined) await store(added);
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
  const isDelayed = added !== undefined && options.housekeepingAfter !== undefined;
  if (isDelayed) starting = options.housekeepingAfter.then(startControllers);
  const [presence] = await Promise.all([
    publishServer(api, { port, address: addressOf(host), hostname: hostname(), clientAuthority, failed }),
    isFresh && !isBare && !isDelayed ? (starting = startControllers()) : undefined,
  ]);
  const cancel =
    isFresh || isBare ? undefined : clock.after(housekeepingDelayMs, () => void (starting = startControllers()));
  return {
    hasAddedPart: added !== undefined,
    isAtRest: () => isStarted && housekeeping?.isAtRest() !== false,
    stop: async () => {
      cancel?.();
      await starting;
      await housekeeping?.stop();
      await presence.stop();
    },
  };
}

function storeIn(
  { parts: { store, now, uid } }: ApiServer,
  text: string,
  { rootCertificate }: Pick<PrepareServerOptions, 'rootCertificate'>,
): Promise<void> {
  return storePrepared(store, text, { now: now(), uid, rootCertificate });
}

/** The address to publish. For a server that listens on all addresses, the first that is not loopback or link-local. */
function addressOf(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const family = host === '::' ? 'IPv6' : 'IPv4';
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const usable = addresses.filter((found) => !found.internal && !found.address.startsWith('fe80:'));
  return (usable.find((found) => found.family === family) ?? usable[0])?.address ?? '127.0.0.1';
}
