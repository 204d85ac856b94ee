import { randomBytes } from 'node:crypto';
import {
  createApiServer,
  HeavyThread,
  listen,
  publishClientAuthority,
  rotateCertificates,
  type Admission,
  type HeavyThreadOptions,
  type PathHandler,
  type ServerIdentity,
  type ServiceAccountTokenOptions,
  type Snapshot,
  type StaticToken,
} from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry, User } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { clustersIn } from './cluster-store.ts';
import type { EmbeddedServer, Furnish } from './embedded-servers.ts';
import type { ObservedEngine } from './observed-engine.ts';
import { prepareServer } from './prepare-server.ts';

interface ServeOptions {
  readonly observed: ObservedEngine;
  /** Where that keeps its data; for the log. */
  readonly directory: string | undefined;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly logger: Logger;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly isBare: boolean;
  /** Where cluster IPs come from; as kube-apiserver has it when nothing is said. */
  readonly serviceCidr?: string | undefined;
  /** What the server shows, and whom it believes. */
  readonly identity: ServerIdentity;
  /** The same, looked for again. */
  readonly lookForIdentity: () => Promise<ServerIdentity>;
  readonly rotationFailed: (error: unknown) => void;
  readonly staticTokens: readonly StaticToken[];
  readonly serviceAccountTokens: ServiceAccountTokenOptions;
  /** Where keys and tokens of embedded servers come from; without it they last as long as this one. */
  readonly embeddedSecret?: string | undefined;
  readonly allowsAnonymous: boolean;
  readonly allowsPrivileged?: boolean | undefined;
  readonly disabledAdmission: readonly string[];
  /** Steps after the server's own. */
  readonly admission?: readonly Admission[] | undefined;
  /** The program for heavy requests, where `admission` has steps: it must have them too. */
  readonly heavy?: HeavyThreadOptions | undefined;
  readonly adminPaths: ReadonlyMap<string, PathHandler>;
}

export interface Serving {
  readonly url: string;
  readonly port: number;
  /** What is served at `/metrics`, for others to add to. */
  readonly metrics: MetricsRegistry;
  /** In process, in somebody's name. Whoever asks for it closes it. */
  readonly clientAs: (user: User, userAgent?: string) => Promise<Client>;
  /** Another server behind the same port and over the same storage. Who starts it stops it, before this one closes. */
  readonly embed: (name: string, furnish: Furnish) => Promise<EmbeddedServer>;
  /** Of all servers that were ever embedded here, whether or not they run. */
  readonly embeddedNames: () => readonly string[];
  /** Ends requests and watches, syncs and lets go of the data. */
  readonly close: () => Promise<void>;
}

/** Requests in flight get this long once the server was told to stop, which is to take no more than a second in all. */
const graceMs = 500;

/** Puts a server for what an engine holds on a port, and gives it what every cluster has. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { observed, clock, random = Math.random, logger, host, port, isBare, identity } = options;
  const { engine, metrics, isStoreWell, isDiskFull } = observed;
  let address = '';
  const heavyThread = new HeavyThread({ ...options.heavy, logger });
  const api = createApiServer({
    store: engine.store('hub'),
    clock,
    random,
    address: () => address,
    adminPaths: options.adminPaths,
    ...(options.serviceCidr !== undefined && { serviceCidr: options.serviceCidr }),
    metrics,
    logger,
    isStoreWell,
    disabledAdmission: options.disabledAdmission,
    ...(options.admission && { admission: options.admission }),
    heavyThread,
    staticTokens: options.staticTokens,
    serviceAccountTokens: options.serviceAccountTokens,
    allowsAnonymous: options.allowsAnonymous,
    allowsPrivileged: options.allowsPrivileged ?? true,
  });
  const { handle, authenticate, fault } = api;
  const listener = await listen({ handle, authenticate, fault, identity, host, port, now: () => clock.now(), logger });
  address = `${urlHost(host)}:${listener.port}`;
  const place = { host, port: listener.port, isBare, clientAuthority: identity.clientAuthority };
  const rootCertificate = identity.authority;
  let firstMoment: Snapshot | undefined;
  const madeFirst = (snapshot: Snapshot): void => void (firstMoment = snapshot);
  const retire = await prepareServer(api, {
    ...place,
    isDiskFull,
    clock,
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
    const shared = { engine, clock, random, logger, isStoreWell, heavyThread, ...keys };
    const place = { entrances: listener.entrances, address, port: listener.port };
    return new EmbeddedServers({ ...shared, ...place, firstMoment });
  });
  logger.info('server started', { address, data: options.directory ?? 'memory' });
  return {
    url: `https://${address}`,
    port: listener.port,
    metrics,
    clientAs: async (user, userAgent = 'flotilla') => {
      const { createClient, inProcessTransport } = await import('@flotilla/client');
      return createClient(inProcessTransport(handle, user, api.view), { clock, userAgent });
    },
    embed: async (name, furnish) => (await embedded()).start(name, furnish),
    embeddedNames: () => clustersIn(engine.names()),
    close: async () => {
      logger.info('server stopping', { address });
      stopRotation();
      api.startShutdown();
      await retire();
      await listener.close(graceMs);
      await heavyThread.close();
      await engine.close();
      logger.info('server stopped', { address });
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
