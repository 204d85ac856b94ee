import {
  bootstrap,
  createApiServer,
  openEngine,
  prepareObjects,
  type Admission,
  type Snapshot,
  type Store,
} from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Client } from '@flotilla/client';
import { administrator, MetricsRegistry, silentLogger } from '@flotilla/kube';
import { LoopTurns, systemClock } from '@flotilla/timing';
import { fleetAdmission } from '../admission/embedded-admission.ts';
import { checkSettingsOf } from '../admission/fleet-checks.ts';
import { defaultMemberShape } from '../file/fleet-shape.ts';
import { ensureHubRole, installHub } from '../install-hub.ts';
import { installMember } from '../install-member.ts';
import { startServerHousekeeping } from '../server-housekeeping.ts';
import type { PreparedPart } from './prepared-files.ts';

/** Found again in the objects, so no other text there may look like these. */
const values = { now: new Date('2000-01-01T00:00:00Z'), rootCertificate: 'the root certificate of a prepared server' };

/** Objects that depend on it are not prepared. */
const anyPort = 6443;

const clock = { ...systemClock, now: () => values.now.getTime() };

/** Creates the objects of a new hub and a new member in memory, with the requests that they would send, and writes them down. */
export async function prepareHub(): Promise<Readonly<Record<PreparedPart, string>>> {
  const engine = await openEngine({ memory: true }, { clock });
  const server = await contentAfter(engine.store('server'), async () => undefined);
  const hub = await contentAfter(
    engine.store('hub', server),
    (client) => Promise.all([installHub(client), ensureHubRole(client, false)]),
    [fleetAdmission(checkSettingsOf({}))],
  );
  const { install } = installMember(clock, defaultMemberShape('').nodes);
  const member = await contentAfter(engine.store('member', server), install);
  await engine.close();
  return {
    server: prepareObjects(server, values),
    hub: prepareObjects(hub, values, server),
    member: prepareObjects(member, values, server),
  };
}

/** The content of a store when its server and its housekeeping are at rest after `install`. */
async function contentAfter(
  store: Store,
  install: (client: Client) => Promise<unknown>,
  admission: readonly Admission[] = [],
): Promise<Snapshot> {
  const turns = new LoopTurns();
  const api = createApiServer({ store, clock, turns, admission });
  await bootstrap(api, anyPort);
  const client = createClient(inProcessTransport(api.handle, administrator, api.view), { clock, turns });
  await install(client);
  const shared = { clock, turns, random: Math.random, logger: silentLogger, metrics: new MetricsRegistry() };
  const { isAtRest, stop } = await startServerHousekeeping(api, { ...shared, ...values });
  await untilUnchanged(store, isAtRest, turns);
  await client.close();
  api.stop();
  await stop();
  return store.snapshot();
}

const quietTurns = 100;

/** Status and APIServices of definitions are written in the background. */
async function untilUnchanged(store: Store, isAtRest: () => boolean, turns: LoopTurns): Promise<void> {
  let { revision } = store;
  for (let quiet = 0; quiet < quietTurns; quiet++) {
    await turns.next();
    if (isAtRest() && store.revision === revision) continue;
    revision = store.revision;
    quiet = 0;
  }
}
