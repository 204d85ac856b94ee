import { randomBytes } from 'node:crypto';
import {
  createApiServer,
  HeavyThread,
  listen,
  publishClientAuthority,
  rotateCertificates,
  type HeavyThreadOptions,
  type PathHandler,
  type ServerRoutes,
  type ServerIdentity,
  type ServerOptions,
  type Snapshot,
} from '@flotilla/apiserver';
import type { Client, Transport } from '@flotilla/client';
import type { SignCertificate } from '@flotilla/housekeeping';
import { once, type ApiHandler, type Logger, type MetricsRegistry, type User } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import type { EmbeddedServer, EmbeddingHost, EmbedOptions, Install } from './embedded-servers.ts';
import { observedEngine, type ObservedEngine } from './observed-engine.ts';
import { prepareServer } from './prepare-server.ts';
import { readPreparedFile, type PreparedPart, type ReadPrepared } from './prepared/prepared-files.ts';

/** Where a server listens, where it stores its objects, and its own options. */
export interface ServingOptions {
  /** Directory of objects and own certificates. Without it, the server runs in memory. */
  readonly dataDirectory?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  readonly server?: ServerOptions | undefined;
  /** Keeps the objects of embedded servers in memory, wherever those of this one are. Default: beside its own. */
  readonly embedsInMemory?: boolean | undefined;
}

interface ServeOptions extends ServingOptions {
  readonly observed: ObservedEngine;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly logger: Logger;
  readonly isBare: boolean;
  readonly prepared?: ReadPrepared | undefined;
  readonly addedPart?: PreparedPart | undefined;
  readonly housekeepingAfter?: Promise<unknown> | undefined;
  readonly embeddedAfter?: Promise<unknown> | undefined;
  /** The serving certificate, and the CAs of clients. */
  readonly identity: ServerIdentity;
  /** Loads the identity again, for rotation. */
  readonly loadIdentity: () => Promise<ServerIdentity>;
  /** Issues certificates that this server accepts from clients. */
  readonly signCertificate?: SignCertificate;
  readonly rotationFailed: (error: unknown) => void;
  /** Keys and tokens of embedded servers are derived from it. Default: a random one. */
  readonly embeddedSecret?: string;
  /** The worker for heavy requests. It must have the plugins of `server.admission`. */
  readonly heavy?: HeavyThreadOptions | undefined;
  readonly adminPaths?: ReadonlyMap<string, PathHandler>;
}

export interface Serving {
  readonly url: string;
  readonly port: number;
  /** Served at `/metrics`. Callers may add to it. */
  readonly metrics: MetricsRegistry;
  /** Shared by everything in the process. */
  readonly turns: LoopTurns;
  /** The server is new, and has got the objects of `addedPart`. */
  readonly hasAddedPart: boolean;
  /** An in-process client as the given user. The caller closes it. `wrap` may change its transport. */
  readonly clientAs: (user: User, userAgent?: string, wrap?: (transport: Transport) => Transport) => Promise<Client>;
  /** For other threads of the process, which embed servers behind the same port. */
  readonly embedding: Embedding;
  /** Starts another server behind the same port. The caller stops it before this one. */
  readonly embed: (name: string, install: Install, options?: EmbedOptions) => Promise<EmbeddedServer>;
  /** Whether housekeeping has started and has nothing to do. True for a bare server. */
  readonly isAtRest: () => boolean;
  /** Ends requests and watches, syncs the data and releases the directory. */
  readonly stop: () => Promise<void>;
}

/** What servers in other threads need of the one whose port they share. */
export interface Embedding extends Pick<EmbeddingHost, 'address' | 'authority' | 'secret'> {
  readonly handle: ApiHandler;
  readonly routes: ServerRoutes;
}

/** Time for requests in flight when the server stops. The whole stop should take no more than a second. */
const graceMs = 500;

/** Serves the objects of a storage engine on a port, after it has bootstrapped them. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { observed, clock, random = Math.random, logger, isBare, identity } = options;
  const { host = '127.0.0.1', port = 0, dataDirectory } = options;
  const { engine, metrics, isStoreHealthy, isDiskFull } = observed;
  let address = '';
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
  const serving = { host, port: listener.port, isBare, clientAuthority: identity.clientAuthority };
  const rootCertificate = identity.authority;
  let bootstrapSnapshot: Snapshot | undefined;
  const onBootstrapped = (snapshot: Snapshot): void => void (bootstrapSnapshot = snapshot);
  const background = await prepareServer(api, {
    ...serving,
    prepared: options.prepared ?? readPreparedFile,
    addedPart: options.addedPart,
    housekeepingAfter: options.housekeepingAfter,
    isDiskFull,
    clock,
    turns,
    random,
    logger,
    metrics,
    rootCertificate,
    signCertificate: options.signCertificate,
    onBootstrapped,
  }).catch(async (error: unknown) => {
    await listener.close(0);
    throw error;
  });
  const stopRotation = rotateCertificates(identity, {
    clock,
    current: options.loadIdentity,
    use: async (next) => {
      listener.setIdentity(next);
      await publishClientAuthority(api, next.clientAuthority);
    },
    failed: options.rotationFailed,
  });
  const embeddedEngine =
    options.embedsInMemory === true ? await observedEngine({ directory: undefined, clock, logger }) : observed;
  const secret = options.embeddedSecret ?? randomBytes(32).toString('hex');
  const embedded = once(async () => {
    const { EmbeddedServers } = await import('./embedded-servers.ts');
    const keys = { secret, authority: rootCertificate };
    const shared = {
      engine: embeddedEngine.engine,
      clock,
      turns,
      random,
      logger,
      isStoreHealthy,
      heavyThread,
      ...keys,
    };
    const route = { routes: listener.routes, address, port: listener.port };
    return new EmbeddedServers({ ...shared, ...route, bootstrapSnapshot, controllersAfter: options.embeddedAfter });
  });
  logger.info('server started', { address, data: dataDirectory ?? 'memory' });
  return {
    url: `https://${address}`,
    port: listener.port,
    metrics,
    turns,
    hasAddedPart: background.hasAddedPart,
    clientAs: async (user, userAgent = 'flotilla', wrap = (same) => same) => {
      const { createClient, inProcessTransport } = await import('@flotilla/client');
      return createClient(wrap(inProcessTransport(handle, user, api.view)), { clock, turns, userAgent });
    },
    embedding: { handle, routes: listener.routes, address, authority: rootCertificate, secret },
    embed: async (name, install, embedOptions) => (await embedded()).start(name, install, embedOptions),
    isAtRest: background.isAtRest,
    stop: async () => {
      logger.info('server stopping', { address });
      stopRotation();
      api.stop();
      await background.stop();
      await listener.close(graceMs);
      await api.flushAudit();
      await heavyThread.stop();
      if (embeddedEngine !== observed) await embeddedEngine.engine.close();
      await engine.close();
      logger.info('server stopped', { address });
    },
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
