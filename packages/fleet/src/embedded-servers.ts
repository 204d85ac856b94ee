import { createHmac } from 'node:crypto';
import {
  bootstrap,
  createApiServer,
  derivedTokenKey,
  embeddedPath,
  replaceUids,
  type ApiServer,
  type ServerRoutes,
  type HeavyThread,
  type Snapshot,
  type StorageEngine,
  type Store,
} from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Client } from '@flotilla/client';
import type { Housekeeping } from '@flotilla/housekeeping';
import { administrator, dns1123SubdomainProblems, MetricsRegistry, type Logger, type User } from '@flotilla/kube';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { clusterStore } from './cluster-store.ts';
import { startServerHousekeeping } from './server-housekeeping.ts';
import { kubeconfigWithToken, type Kubeconfig } from './kubeconfig.ts';

/** What embedded servers share with their host: its listener, its storage, its event loop. */
export interface EmbeddingHost {
  readonly engine: StorageEngine;
  readonly routes: ServerRoutes;
  /** Host and port of the listener: `127.0.0.1:6443`. */
  readonly address: string;
  readonly port: number;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly random: () => number;
  readonly logger: Logger;
  readonly isStoreHealthy: () => boolean;
  readonly heavyThread: HeavyThread;
  /** The CA that clients verify the listener with, PEM. */
  readonly authority: string;
  /** The administrators' tokens and the signing keys of all embedded servers are derived from it. */
  readonly secret: string;
  /** The objects of a new server, if the host itself was new at its start. */
  readonly bootstrapSnapshot: Snapshot | undefined;
}

/** An API server with its own objects, users and rules, behind the listener of its host. */
export interface EmbeddedServer {
  readonly name: string;
  readonly url: string;
  /** The administrator's access, valid for this server only. */
  readonly access: Kubeconfig;
  /** Served at its `/metrics`. */
  readonly metrics: MetricsRegistry;
  readonly clientAs: (user: User, userAgent?: string) => Client;
  /** Whether its housekeeping has nothing to do. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Installs objects in a new server, in addition to those that Kubernetes itself creates. */
export type Install = (client: Client) => Promise<void>;

/** The store that every new one is copied from. Data directories contain this name. */
const bootstrapStore = 'first-moment';

/**
 * Servers that share a process, a port and a file. Their first objects are created once. A new server starts as a
 * copy-on-write copy of them.
 */
export class EmbeddedServers {
  readonly #host: EmbeddingHost;
  #bootstrapped: Promise<boolean> | undefined;

  constructor(host: EmbeddingHost) {
    this.#host = host;
  }

  /** All new servers are copies, so `install` runs for the first one only. */
  async start(name: string, install: Install): Promise<EmbeddedServer> {
    const { engine, routes, address, authority } = this.#host;
    const [problem] = dns1123SubdomainProblems(name);
    if (problem !== undefined) throw new RangeError(`invalid cluster name "${name}": ${problem}`);
    const storeName = clusterStore(name);
    const isNew = !engine.has(storeName);
    const isComplete = isNew && (await (this.#bootstrapped ??= this.#bootstrap(install)));
    const metrics = new MetricsRegistry();
    const token = createHmac('sha256', this.#host.secret).update(storeName).digest('base64url');
    const api = this.#serverOver(engine.store(storeName, bootstrapStore), { name, token, metrics });
    if (isNew) await replaceUids(api.parts);
    const close = routes.add(name, api);
    const started = this.#startControllers(api, isComplete ? undefined : install, metrics);
    const housekeeping = await started.catch((error: unknown) => {
      close();
      api.stop();
      throw error;
    });
    const url = `https://${address}${embeddedPath(name)}`;
    return {
      name,
      url,
      access: kubeconfigWithToken({ name, url, authority, token }),
      metrics,
      clientAs: (user, userAgent) => this.#client(api, user, userAgent),
      isAtRest: housekeeping.isAtRest,
      stop: () => stop(api, housekeeping, close),
    };
  }

  /** Bootstraps the server first if `install` is given. A copy of the bootstrap store has all objects. */
  async #startControllers(
    api: ApiServer,
    install: Install | undefined,
    metrics: MetricsRegistry,
  ): Promise<Housekeeping> {
    const { clock, turns, random, logger, authority: rootCertificate } = this.#host;
    if (install) await this.#bootstrapServer(api, install);
    else api.markStarted();
    return startServerHousekeeping(api, { clock, turns, random, logger, metrics, rootCertificate });
  }

  /** Fills the bootstrap store. Returns false if the data directory has one already: it may be of an older release. */
  async #bootstrap(install: Install): Promise<boolean> {
    const store = this.#host.engine.store(bootstrapStore, this.#host.bootstrapSnapshot);
    if (store.isFrozen) return false;
    const metrics = new MetricsRegistry();
    const api = this.#serverOver(store, { name: bootstrapStore, metrics });
    await stop(api, await this.#startControllers(api, install, metrics));
    await store.settled();
    return true;
  }

  async #bootstrapServer(api: ApiServer, install: Install): Promise<void> {
    const { bootstrapSnapshot, port } = this.#host;
    if (bootstrapSnapshot && api.parts.store.revision === bootstrapSnapshot.revision) api.markStarted();
    else await bootstrap(api, port);
    const client = this.#client(api, administrator);
    await install(client);
    await client.close();
  }

  #serverOver(store: Store, { name, token, metrics }: { name: string; token?: string; metrics: MetricsRegistry }) {
    const { clock, turns, random, logger, address, isStoreHealthy, heavyThread, secret } = this.#host;
    const issuers = [issuerOf(name)];
    return createApiServer({
      store,
      clock,
      turns,
      random,
      address: () => address,
      basePath: embeddedPath(name),
      metrics,
      logger: logger.with({ cluster: name }),
      isStoreHealthy,
      heavyThread,
      staticTokens: token === undefined ? [] : [{ token, user: administrator }],
      // Derived when a token is first signed or verified: most embedded servers never see one.
      serviceAccountTokens: { signingKey: () => derivedTokenKey(secret, name), issuers, audiences: issuers },
    });
  }

  #client({ handle, view }: ApiServer, user: User, userAgent = 'flotilla'): Client {
    const { clock, turns } = this.#host;
    return createClient(inProcessTransport(handle, user, view), { clock, turns, userAgent });
  }
}

function issuerOf(name: string): string {
  return `https://kubernetes.default.svc.cluster.local${embeddedPath(name)}`;
}

async function stop(api: ApiServer, housekeeping: Housekeeping, close: () => void = () => undefined): Promise<void> {
  close();
  api.stop();
  await housekeeping.stop();
}
