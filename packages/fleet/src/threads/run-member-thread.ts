import { randomUUID } from 'node:crypto';
import {
  completePrepared,
  createApiServer,
  errorResponse,
  HeavyThread,
  Query,
  shareObjectsBriefly,
  storePrepared,
  type RoutedServer,
  type Snapshot,
  type StorageEngine,
} from '@flotilla/apiserver';
import { createClient, inProcessTransport, PortCaller, servePort } from '@flotilla/client';
import { administrator, anonymous, apiErrors, type ApiHandler, type Logger } from '@flotilla/kube';
import { LoopTurns, systemClock } from '@flotilla/timing';
import { checkSettingsOf } from '../admission/fleet-checks.ts';
import { EmbeddedServers } from '../embedded-servers.ts';
import { hubHeavy } from '../hub-heavy.ts';
import { observedEngine } from '../observed-engine.ts';
import { readPreparedFile } from '../prepared/prepared-files.ts';
import { startMember, type MemberHost, type RunningMember } from '../start-member.ts';
import type { HubListener, MemberFunctions, MemberThreadStart } from './member-functions.ts';
import { PortLogger } from './port-logger.ts';
import { answerCalls } from './thread-calls.ts';

const clock = systemClock;

/** Runs members in this thread, as the main thread asks. Their objects are in its memory. */
export function runMemberThread({ hub, members, calls, log }: MemberThreadStart): void {
  shareObjectsBriefly();
  const logger = new PortLogger(log);
  const turns = new LoopTurns();
  const hubHandle = new PortCaller(hub, turns).handlerOf('hub');
  const servers = new Map<string, RoutedServer>();
  const running = new Map<string, RunningMember>();
  const opened = Promise.withResolvers<MemberHost>();
  servePort(members, (name) => servers.get(name)?.handle ?? unavailable, turns);
  answerCalls<MemberFunctions>(calls, {
    open: async (listener) => opened.resolve(await openHost(listener, { hubHandle, servers, turns, logger })),
    start: async ({ shape, faults }) => {
      const member = await startMember({ hub: await opened.promise, shape, faults, logger, isRegistered: true });
      running.set(shape.name, member);
      return { url: member.url, access: member.access };
    },
    setFaults: async ({ name, faults }) => running.get(name)?.setFaults(faults),
    authenticate: async ({ name, authorization, target }) =>
      servers.has(name) ? servers.get(name)?.authenticate('none', authorization, target) : anonymous,
    stop: async (name) => {
      await running.get(name)?.stop();
      running.delete(name);
    },
  });
}

const unavailable: ApiHandler = (request) =>
  errorResponse(request, Query.of(request.query), apiErrors.serviceUnavailable('the cluster does not run'));

interface HostParts {
  readonly hubHandle: ApiHandler;
  readonly servers: Map<string, RoutedServer>;
  readonly turns: LoopTurns;
  readonly logger: Logger;
}

/** What members need of the process that they run in, without the hub itself. */
async function openHost(listener: HubListener, { hubHandle, servers, turns, logger }: HostParts): Promise<MemberHost> {
  const { address, port, authority, secret, memberFinalizers } = listener;
  const { engine, isStoreHealthy } = await observedEngine({ directory: undefined, clock, logger });
  const embedded = new EmbeddedServers({
    engine,
    routes: {
      add: (name, server) => {
        servers.set(name, server);
        return () => servers.delete(name);
      },
    },
    address,
    port,
    clock,
    turns,
    random: Math.random,
    logger,
    isStoreHealthy,
    heavyThread: new HeavyThread({ ...hubHeavy, pluginSettings: checkSettingsOf({}), logger }),
    authority,
    secret,
    bootstrapSnapshot: await firstObjects(engine, listener),
  });
  const clientAs: MemberHost['server']['clientAs'] = async (user, userAgent = 'flotilla', wrap = (same) => same) =>
    createClient(wrap(inProcessTransport(hubHandle, user)), { clock, turns, userAgent });
  return {
    server: { embed: (name, install, options) => embedded.start(name, install, options), turns, clientAs },
    client: (user = administrator) => clientAs(user),
    memberFinalizers,
  };
}

/** The objects that every new server has. Undefined if they are not prepared: then the first member creates them with requests. */
async function firstObjects(
  engine: StorageEngine,
  { address, port, authority: rootCertificate }: HubListener,
): Promise<Snapshot | undefined> {
  const text = await readPreparedFile('server');
  if (text === undefined) return undefined;
  const store = engine.store('server');
  await storePrepared(store, text, { now: new Date(clock.now()), uid: randomUUID, rootCertificate });
  const api = createApiServer({ store, clock, address: () => address });
  await completePrepared(api, port);
  api.stop();
  return store.snapshot();
}
