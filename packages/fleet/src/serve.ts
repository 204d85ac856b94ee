import { randomBytes } from 'node:crypto';
import {
  createApiServer,
  HeavyThread,
  listen,
  publishClientAuthority,
  rotateCertificates,
  type HeavyThreadOptions,
  type PathHandler,
  type ServerIdentity,
  type ServerOptions,
  type Snapshot,
} from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import { once, type Logger, type MetricsRegistry, type User } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { clustersIn } from './cluster-store.ts';
import type { EmbeddedServer, Furnish } from './embedded-servers.ts';
import type { ObservedEngine } from './observed-engine.ts';
import { prepareServer } from './prepare-server.ts';

/** Where a server listens and keeps its objects, and what it allows. */
export interface ServingOptions {
  /** Where objects are kept, and certificates of our own; without it nothing is. */
  readonly dataDirectory?: string | undefined;
  /** 0: any free one, which is the default. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  readonly server?: ServerOptions | undefined;
}

interface ServeOptions extends ServingOptions {
  readonly observed: ObservedEngine;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly logger: Logger;
  readonly isBare: boolean;
  /** What the server shows, and whom it believes. */
  readonly identity: ServerIdentity;
  /** The same, looked for again. */
  readonly lookForIdentity: () => Promise<ServerIdentity>;
  readonly rotationFailed: (error: unknown) => void;
  /** Where keys and tokens of embedded servers come from; without it they last as long as this one. */
  readonly embeddedSecret?: string;
  /** The program for heavy requests, where `server.admission` has steps: it must have them too. */
  readonly heavy?: HeavyThreadOptions | undefined;
  readonly adminPaths?: ReadonlyMap<string, PathHandler>;
}

export interface Serving {
  readonly url: string;
  readonly port: number;
  /** What is served at `/metrics`, for others to add to. */
  readonly metrics: MetricsRegistry;
  /** For all who share the process with it. */
  readonly turns: LoopTurns;
  /** In process, in somebody's name. Whoever asks for it closes it. */
  readonly clientAs: (user: User, userAgent?: string) => Promise<Client>;
  /** Another server behind the same port and over the same storage. Who starts it stops it, before this one closes. */
  readonly embed: (name: string, furnish: Furnish) => Promise<EmbeddedServer>;
  /** Of all servers that were ever embedded here, whether or not they run. */
  readonly embeddedNames: () => readonly string[];
  /** Whether housekeeping has started and has nothing to do. True for a bare server. */
  readonly isAtRest: () => boolean;
  /** Ends requests and watches, syncs and lets go of the data. */
  readonly stop: () => Promise<void>;
}

/** Requests in flight get this long once the server was told to stop, which is to take no more than a second in all. */
const graceMs = 500;

/** Puts a server for what an engine holds on a port, and gives it what every cluster has. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { observed, clock, random = Math.random, logger, isBare, identity } = options;
  const { host = '127.0.0.1', port = 0, dataDirectory } = options;
  const { engine, metrics, isStoreHealthy, isDiskFull } = observed;
  let address = '';
  // Everything in this process shares one event loop.
  const turns = new LoopTurns();
  const heavyThread = new HeavyThread({ ...options.heavy, logger });
  const api = createApiServer({
    ...options.server,
    store: engine.store('hub'),
    clock,
    turns,
    random,
    address: () => address,
    ...(options.adminPaths && { adminPaths: options.adminPaths }),
    metrics,
    logger,
    isStoreHealthy,
    heavyThread,
  });
  const { handle, authenticate, reportFault } = api;
  const listener = await listen({
    handle,
    authenticate,
    reportFault,
    identity,
    host,
    port,
    now: () => clock.now(),
    logger,
  });
  address = `${urlHost(host)}:${listener.port}`;
  const place = { host, port: listener.port, isBare, clientAuthority: identity.clientAuthority };
  const rootCertificate = identity.authority;
  let firstMoment: Snapshot | undefined;
  const madeFirst = (snapshot: Snapshot): void => void (firstMoment = snapshot);
  const background = await prepareServer(api, {
    ...place,
    isDiskFull,
    clock,
    turns,
    random,
    logger,
    metrics,
    rootCertificate,
    madeFirst,
  }).catch(async (error: unknown) => {
    await listener.close(0);
    throw error;
  });
  const stopRotation = rotateCertificates(identity, {
    clock,
    current: options.lookForIdentity,
    use: async (next) => {
      listener.setIdentity(next);
      await publishClientAuthority(api, next.clientAuthority);
    },
    failed: options.rotationFailed,
  });
  const embedded = once(async () => {
    const { EmbeddedServers } = await import('./embedded-servers.ts');
    const keys = { secret: options.embeddedSecret ?? randomBytes(32).toString('hex'), authority: rootCertificate };
    const shared = { engine, clock, turns, random, logger, isStoreHealthy, heavyThread, ...keys };
    const place = { routes: listener.routes, address, port: listener.port };
    return new EmbeddedServers({ ...shared, ...place, firstMoment });
  });
  logger.info('server started', { address, data: dataDirectory ?? 'memory' });
  return {
    url: `https://${address}`,
    port: listener.port,
    metrics,
    turns,
    clientAs: async (user, userAgent = 'flotilla') => {
      const { createClient, inProcessTransport } = await import('@flotilla/client');
      return createClient(inProcessTransport(handle, user, api.view), { clock, turns, userAgent });
    },
    embed: async (name, furnish) => (await embedded()).start(name, furnish),
    embeddedNames: () => clustersIn(engine.names()),
    isAtRest: background.isAtRest,
    stop: async () => {
      logger.info('server stopping', { address });
      stopRotation();
      api.stop();
      await background.stop();
      await listener.close(graceMs);
      await heavyThread.stop();
      await engine.close();
      logger.info('server stopped', { address });
    },
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
