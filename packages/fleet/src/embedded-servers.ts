import { createHmac } from 'node:crypto';
import {
  bootstrap,
  createApiServer,
  derivedTokenKey,
  embeddedPath,
  takeOwnIdentity,
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
import { keepHouse } from './server-housekeeping.ts';
import { kubeconfigWithToken, type Kubeconfig } from './kubeconfig.ts';

/** What embedded servers have from the one whose listener and storage they share. */
export interface EmbeddingHost {
  readonly engine: StorageEngine;
  readonly routes: ServerRoutes;
  /** Where clients reach the listener: `127.0.0.1:6443`. */
  readonly address: string;
  readonly port: number;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly random: () => number;
  readonly logger: Logger;
  readonly isStoreHealthy: () => boolean;
  readonly heavyThread: HeavyThread;
  /** By which clients know the listener, PEM. */
  readonly authority: string;
  /** Only the host knows it; the administrators' tokens and the signing keys of all embedded servers come from it. */
  readonly secret: string;
  /** What a server has in its first moment, where the host has just had it itself. */
  readonly firstMoment: Snapshot | undefined;
}

/** An API server of its own, with its own objects, users and rules, behind somebody else's listener. */
export interface EmbeddedServer {
  readonly name: string;
  readonly url: string;
  /** The administrator's way in; it opens nothing else. */
  readonly access: Kubeconfig;
  /** What is served at its `/metrics`. */
  readonly metrics: MetricsRegistry;
  readonly clientAs: (user: User, userAgent?: string) => Client;
  /** Whether its housekeeping has nothing to do. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Puts into a new server what all of a kind have beyond Kubernetes' own. */
export type Furnish = (client: Client) => Promise<void>;

/** The store that every new one starts from: all that a cluster has in its first moment. */
const firstMoment = 'first-moment';

/**
 * Servers that share a process, a port and a file. Their first objects are made once: a new server starts as a copy of them
 * that costs nothing until it is changed.
 */
export class EmbeddedServers {
  readonly #host: EmbeddingHost;
  #prepared: Promise<boolean> | undefined;

  constructor(host: EmbeddingHost) {
    this.#host = host;
  }

  /** New servers are all furnished as the first one is. */
  async start(name: string, furnish: Furnish): Promise<EmbeddedServer> {
    const { engine, routes, address, authority } = this.#host;
    const [problem] = dns1123SubdomainProblems(name);
    if (problem !== undefined) throw new RangeError(`no cluster can be called ${name}: ${problem}`);
    const storeName = clusterStore(name);
    const isNew = !engine.has(storeName);
    const isReady = isNew && (await (this.#prepared ??= this.#prepare(furnish)));
    const metrics = new MetricsRegistry();
    const token = createHmac('sha256', this.#host.secret).update(storeName).digest('base64url');
    const api = this.#serverOver(engine.store(storeName, firstMoment), { name, token, metrics });
    if (isNew) await takeOwnIdentity(api.parts);
    const close = routes.add(name, api);
    const house = await this.#moveIn(api, isReady ? undefined : furnish, metrics).catch((error: unknown) => {
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
      isAtRest: house.isAtRest,
      stop: () => stop(api, house, close),
    };
  }

  /** Who starts from the first moment finds everything there. */
  async #moveIn(api: ApiServer, furnish: Furnish | undefined, metrics: MetricsRegistry): Promise<Housekeeping> {
    const { clock, turns, random, logger, authority: rootCertificate } = this.#host;
    if (furnish) await this.#settleIn(api, furnish);
    else api.markStarted();
    return keepHouse(api, { clock, turns, random, logger, metrics, rootCertificate });
  }

  /** Says whether new servers have all they need. The first moment in a data directory may be that of an older release. */
  async #prepare(furnish: Furnish): Promise<boolean> {
    const store = this.#host.engine.store(firstMoment, this.#host.firstMoment);
    if (store.isFrozen) return false;
    const metrics = new MetricsRegistry();
    const api = this.#serverOver(store, { name: firstMoment, metrics });
    await stop(api, await this.#moveIn(api, furnish, metrics));
    await store.settled();
    return true;
  }

  async #settleIn(api: ApiServer, furnish: Furnish): Promise<void> {
    const { firstMoment: made, port } = this.#host;
    if (made && api.parts.store.revision === made.revision) api.markStarted();
    else await bootstrap(api, port);
    const client = this.#client(api, administrator);
    await furnish(client);
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
      // Made when a token is first signed or shown: most embedded servers never see one.
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

async function stop(api: ApiServer, house: Housekeeping, close: () => void = () => undefined): Promise<void> {
  close();
  api.stop();
  await house.stop();
}
