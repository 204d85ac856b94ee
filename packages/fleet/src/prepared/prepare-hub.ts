import { bootstrap, createApiServer, openEngine, prepareObjects, type ApiServer } from '@flotilla/apiserver';
import { createClient, inProcessTransport } from '@flotilla/client';
import type { Housekeeping } from '@flotilla/housekeeping';
import { administrator, MetricsRegistry, silentLogger } from '@flotilla/kube';
import { LoopTurns, systemClock } from '@flotilla/timing';
import { fleetAdmission } from '../fleet-admission.ts';
import { ensureHubRole, installHub } from '../install-hub.ts';
import { startServerHousekeeping } from '../server-housekeeping.ts';
import type { PreparedObjects } from './prepared-files.ts';

/** Found again in the objects, so no other text there may look like it. */
const now = new Date('2000-01-01T00:00:00Z');

/** Objects that depend on it are not prepared. */
const anyPort = 6443;

/** Creates the objects of a new hub in memory, with the requests that a hub would send, and writes them down. For `scripts/bundle.ts`. */
export async function prepareHub(): Promise<Required<PreparedObjects>> {
  const clock = { ...systemClock, now: () => now.getTime() };
  const turns = new LoopTurns();
  const engine = await openEngine({ memory: true }, { clock });
  const store = engine.store('hub');
  const api = createApiServer({ store, clock, turns, admission: fleetAdmission });
  await bootstrap(api, anyPort);
  const metrics = new MetricsRegistry();
  const shared = { clock, turns, random: Math.random, rootCertificate: '', logger: silentLogger, metrics };
  const housekeeping = await startServerHousekeeping(api, shared);
  await untilUnchanged(api, housekeeping, turns);
  const ofServer = store.snapshot();
  const client = createClient(inProcessTransport(api.handle, administrator, api.view), { clock, turns });
  await Promise.all([installHub(client), ensureHubRole(client, false)]);
  await untilUnchanged(api, housekeeping, turns);
  const ofHub = store.snapshot();
  await client.close();
  api.stop();
  await housekeeping.stop();
  await engine.close();
  return { server: prepareObjects(ofServer, { now }), hub: prepareObjects(ofHub, { now, except: ofServer }) };
}

const quietTurns = 100;

/** Status and APIServices of definitions are written in the background. */
async function untilUnchanged({ parts }: ApiServer, { isAtRest }: Housekeeping, turns: LoopTurns): Promise<void> {
  let { revision } = parts.store;
  for (let quiet = 0; quiet < quietTurns; quiet++) {
    await turns.next();
    if (isAtRest() && parts.store.revision === revision) continue;
    revision = parts.store.revision;
    quiet = 0;
  }
}
