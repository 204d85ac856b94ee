import { hostname, networkInterfaces } from 'node:os';
import { announcePresence, bootstrap, type ApiServer } from '@flotilla/apiserver';
import type { Housekeeping } from '@flotilla/housekeeping';
import type { KeepHouseOptions } from './keep-house.ts';

export interface PrepareServerOptions extends KeepHouseOptions {
  readonly host: string;
  readonly port: number;
  /** Without housekeeping. */
  readonly isBare: boolean;
}

/** Does what a server needs before it is anybody's; the result undoes what must not outlast it. */
export async function prepareServer(api: ApiServer, options: PrepareServerOptions): Promise<() => Promise<void>> {
  const { host, port, isBare, logger } = options;
  const isFresh = api.surroundings.store.revision === 0;
  await bootstrap(api, port);
  const housekeeping = isBare ? undefined : startKeepingHouse(api, options);
  housekeeping?.catch((error: unknown) => logger.error('housekeeping did not start', { error }));
  const [presence] = await Promise.all([
    announcePresence(api, { port, address: addressOf(host), hostname: hostname() }),
    // A house that was kept before is in order: nobody need wait until its keeper has come.
    isFresh ? housekeeping : undefined,
  ]);
  return async () => {
    const keeper = await housekeeping?.catch(() => undefined);
    await keeper?.stop();
    await presence.withdraw();
  };
}

async function startKeepingHouse(api: ApiServer, options: KeepHouseOptions): Promise<Housekeeping> {
  const { keepHouse } = await import('./keep-house.ts');
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
