import { createHmac, randomUUID } from 'node:crypto';
import {
  bootstrap,
  createApiServer,
  derivedTokenKey,
  embeddedPath,
  replaceUids,
  storePrepared,
  type Admission,
  type ApiServer,
  type ServerRoutes,
  type HeavyThread,
  type Kubelets,
  type Snapshot,
  type StorageEngine,
  type Store,
} from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Client } from '@flotilla/client';
import type { Housekeeping } from '@flotilla/housekeeping';
import { administrator, dns1123SubdomainProblems, MetricsRegistry, type Logger, type User } from '@flotilla/kube';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { clusterStore } from './cluster-store.ts';
import { seededChance } from './faults/seeded-chance.ts';
import { ServerGate } from './faults/server-gate.ts';
import { startServerHousekeeping } from './server-housekeeping.ts';
import { ControllersOnChange, RestingStore } from './start-on-change.ts';
import { kubeconfigWithToken, type Kubeconfig } from './kubeconfig.ts';

/** What embedded servers share with their host: its listener, its storage, its event loop. */
export interface EmbeddingHost {
  readonly engine: StorageEngine;
  readonly routes: Pick<ServerRoutes, 'add'>;
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
  /** The controllers of servers that have run before start after this, unless an object changes first. */
  readonly controllersAfter?: Promise<unknown> | undefined;
  /** The objects of a new server, if the host itself was new at its start. */
  readonly bootstrapSnapshot: Snapshot | undefined;
}

/** An API server with its own objects, users and rules, behind the listener of its host. */
export interface EmbeddedServer {
  readonly name: string;
  /** Whether it had no objects before this process. */
  readonly isNew: boolean;
  readonly url: string;
  /** The administrator's access, valid for this server only. */
  readonly access: Kubeconfig;
  /** Served at its `/metrics`. A restart replaces it. */
  readonly metrics: () => MetricsRegistry;
  /** Its store, if its controllers can wait. */
  readonly resting: () => RestingStore | undefined;
  /** A client that works again after a restart. The caller closes it. */
  readonly clientAs: (user: User, userAgent?: string) => Client;
  /** Share of the requests that fail, in [0, 1]. Housekeeping is not affected. */
  readonly setFailureRate: (rate: number) => void;
  /** Whether its housekeeping has nothing to do. */
  readonly isAtRest: () => boolean;
  /** Ends watches, stops housekeeping, and answers requests with 503 until the next start. The objects stay. */
  readonly halt: () => Promise<void>;
  /** Starts the server again after `halt`. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface EmbedOptions {
  /** Default: that of the host. */
  readonly clock?: Clock;
  /** Plugins to run after the server's own. The worker for heavy requests must have them too. */
  readonly admission?: readonly Admission[];
  /** Answers for the server's nodes. */
  readonly kubelets?: Kubelets;
}

/** The objects of a new server, in addition to those that Kubernetes itself creates. */
export interface Install {
  /** Servers with the same template start with the same objects. Default: one template for all. */
  readonly template?: string;
  /** Creates what is missing. */
  readonly install: (client: Client) => Promise<void>;
  /** The part of it that a fleet file may have changed since the server last ran. Compared before it serves again. */
  readonly installShape?: (client: Client) => Promise<void>;
  /** The rest of it, which is checked later. Default: all of it. */
  readonly installRest?: (client: Client) => Promise<void>;
  /** The objects that a server has when its controllers are at rest after `install`, if they are prepared. */
  readonly prepared?: () => Promise<string | undefined>;
}

interface RunningEmbedded extends Pick<EmbeddedServer, 'isAtRest' | 'stop'> {
  readonly metrics: MetricsRegistry;
  readonly resting: RestingStore | undefined;
}

interface RunOptions extends EmbedOptions {
  readonly name: string;
  readonly token: string;
  readonly gate: ServerGate;
}

interface ServerOverOptions extends EmbedOptions {
  readonly name: string;
  readonly token?: string;
  readonly metrics: MetricsRegistry;
}

interface StartControllersOptions extends Pick<ServerOverOptions, 'metrics' | 'clock'> {
  /** If they can wait. */
  readonly resting?: RestingStore | undefined;
}

/** The store that new ones are copied from. Data directories contain this name. */
const bootstrapStore = 'first-moment';

/** A data directory holds 2,048 stores, of which 2,000 are for members. */
const maxTemplates = 32;

function templateStore(template = ''): string {
  return template === '' ? bootstrapStore : `${bootstrapStore} ${template}`;
}

/**
 * Servers that share a process, a port and a file. The first objects of each template are created once. A new server starts
 * as a copy-on-write copy of them.
 */
export class EmbeddedServers {
  readonly #host: EmbeddingHost;
  /** By template. */
  readonly #bootstrapped = new Map<string, Promise<boolean>>();
  /** When the controllers of the last server that has run before have started. */
  #lastStart: Promise<unknown>;

  constructor(host: EmbeddingHost) {
    this.#host = host;
    this.#lastStart = host.controllersAfter ?? Promise.resolve();
  }

  /** New servers of a template are copies, so `install` runs for the first one only. */
  async start(name: string, install: Install, options: EmbedOptions = {}): Promise<EmbeddedServer> {
    const { routes, address, authority } = this.#host;
    const [problem] = dns1123SubdomainProblems(name);
    if (problem !== undefined) throw new RangeError(`invalid cluster name "${name}": ${problem}`);
    const token = createHmac('sha256', this.#host.secret).update(clusterStore(name)).digest('base64url');
    const gate = new ServerGate(name, seededChance(name));
    await this.#host.engine.loaded;
    const isNew = !this.#host.engine.has(clusterStore(name));
    const run = (): Promise<RunningEmbedded> => this.#run({ name, token, gate, ...options }, install);
    const close = routes.add(name, gate);
    let running: RunningEmbedded | undefined = await run().catch((error: unknown) => {
      close();
      throw error;
    });
    let { metrics, resting } = running;
    const halt = async (): Promise<void> => {
      gate.close();
      await running?.stop();
      running = undefined;
    };
    const url = `https://${address}${embeddedPath(name)}`;
    return {
      name,
      isNew,
      url,
      access: kubeconfigWithToken({ name, url, authority, token }),
      metrics: () => metrics,
      resting: () => resting,
      clientAs: (user, userAgent) => this.#client(gate, user, userAgent),
      setFailureRate: (rate) => void (gate.failureRate = rate),
      isAtRest: () => running?.isAtRest() ?? true,
      halt,
      restart: async () => {
        if (running === undefined) ({ metrics, resting } = running = await run());
      },
      stop: async () => {
        close();
        await halt();
      },
    };
  }

  async #run(options: RunOptions, install: Install): Promise<RunningEmbedded> {
    const { engine } = this.#host;
    const { name, gate } = options;
    const storeName = clusterStore(name);
    const isNew = !engine.has(storeName);
    const template = this.#templateStore(install.template);
    const isOwn = template === templateStore(install.template);
    const isComplete = isNew && (await this.#bootstrapOnce(template, install)) && isOwn;
    const metrics = new MetricsRegistry();
    const store = engine.store(storeName, template);
    const api = this.#serverOver(store, { ...options, metrics });
    if (isNew) await replaceUids(api.parts);
    gate.open(api);
    try {
      if (isNew && !isComplete) await this.#bootstrapServer(api, install.install);
      else api.markStarted();
      if (!isNew && install.installShape) await this.#request(api, install.installShape);
      // A copy of a complete server has nothing for controllers to do. One that has run before has its objects, and is checked in its turn.
      const check = isNew ? undefined : new CheckInTurn(this.#lastStart, () => this.#check(api, install));
      const resting = isComplete || check ? new RestingStore(store, check?.ended) : undefined;
      const housekeeping = await this.#startControllers(api, { ...options, metrics, resting });
      return {
        metrics,
        resting,
        isAtRest: housekeeping.isAtRest,
        stop: async () => {
          await Promise.all([check?.stop(), stop(api, housekeeping)]);
        },
      };
    } catch (error) {
      gate.close();
      api.stop();
      throw error;
    }
  }

  async #startControllers(
    api: ApiServer,
    { metrics, clock = this.#host.clock, resting }: StartControllersOptions,
  ): Promise<Housekeeping> {
    const { turns, random, logger, authority: rootCertificate } = this.#host;
    const start = (): Promise<Housekeeping> =>
      startServerHousekeeping(api, {
        clock,
        turns,
        random,
        logger,
        metrics,
        rootCertificate,
        sleepsWithoutObjects: true,
        restedAt: resting?.restedAt,
      });
    if (resting === undefined) return start();
    // A change on many members at once is for their agents and simulators first.
    const startAfterAll = async (): Promise<Housekeeping> => {
      await new Promise<void>((resolve) => turns.afterAll(resolve));
      return start();
    };
    const controllers = new ControllersOnChange(resting, startAfterAll, logger);
    // All at once would keep others from the event loop.
    if (resting.hasTurn) this.#lastStart = Promise.all([this.#lastStart, controllers.started]);
    return controllers;
  }

  /** Servers beyond the limit of templates start from the default one, and install what differs. */
  #templateStore(template: string | undefined): string {
    const { engine } = this.#host;
    const name = templateStore(template);
    if (template === undefined || engine.has(name)) return name;
    const known = [...engine.names()].filter((store) => store.startsWith(`${bootstrapStore} `));
    return known.length < maxTemplates ? name : bootstrapStore;
  }

  #bootstrapOnce(template: string, install: Install): Promise<boolean> {
    const known = this.#bootstrapped.get(template);
    if (known !== undefined) return known;
    const bootstrapped = this.#bootstrap(template, install);
    this.#bootstrapped.set(template, bootstrapped);
    return bootstrapped;
  }

  /** Fills the store of a template. Returns false if the data directory has it already: it may be of an older release. */
  async #bootstrap(template: string, install: Install): Promise<boolean> {
    const { engine, bootstrapSnapshot } = this.#host;
    const store = engine.store(template, bootstrapSnapshot);
    if (store.isFrozen) return false;
    const isUntouched = store.revision === bootstrapSnapshot?.revision;
    const prepared = isUntouched ? await install.prepared?.() : undefined;
    if (prepared === undefined) {
      const metrics = new MetricsRegistry();
      const api = this.#serverOver(store, { name: bootstrapStore, metrics });
      await this.#bootstrapServer(api, install.install);
      await stop(api, await this.#startControllers(api, { metrics }));
    } else {
      const { clock, authority: rootCertificate } = this.#host;
      await storePrepared(store, prepared, { now: new Date(clock.now()), rootCertificate, uid: randomUUID });
    }
    await store.settled();
    return true;
  }

  async #bootstrapServer(api: ApiServer, install: Install['install']): Promise<void> {
    const { bootstrapSnapshot, port } = this.#host;
    if (bootstrapSnapshot && api.parts.store.revision === bootstrapSnapshot.revision) api.markStarted();
    else await bootstrap(api, port);
    await this.#request(api, install);
  }

  async #request(api: ApiServer, send: (client: Client) => Promise<void>): Promise<void> {
    const client = this.#client(api, administrator);
    await send(client);
    await client.close();
  }

  async #check(api: ApiServer, install: Install): Promise<void> {
    try {
      await this.#bootstrapServer(api, install.installRest ?? install.install);
    } catch (error) {
      this.#host.logger.error('first objects not checked', { error });
    }
  }

  #serverOver(store: Store, options: ServerOverOptions): ApiServer {
    const { turns, random, logger, address, isStoreHealthy, heavyThread, secret } = this.#host;
    const { name, token, metrics, clock = this.#host.clock, admission = [], kubelets } = options;
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
      admission,
      kubelets,
      staticTokens: token === undefined ? [] : [{ token, user: administrator }],
      // Derived when a token is first signed or verified: most embedded servers never see one.
      serviceAccountTokens: { signingKey: () => derivedTokenKey(secret, name), issuers, audiences: issuers },
    });
  }

  #client(
    { handle, view, viewBuiltins }: Pick<ApiServer, 'handle' | 'view' | 'viewBuiltins'>,
    user: User,
    userAgent = 'flotilla',
  ): Client {
    const { clock, turns } = this.#host;
    return createClient(inProcessTransport(handle, user, view, viewBuiltins), { clock, turns, userAgent });
  }
}

/**
 * Creates or updates what a release has changed since a server last ran, and what users have deleted. It waits for its turn: nearly
 * always there is nothing to do, and a fleet of a thousand should be back soon.
 */
class CheckInTurn {
  readonly ended: Promise<void>;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(turn: Promise<unknown>, check: () => Promise<void>) {
    this.ended = turn.then(() => {
      if (!this.#isStopped) this.#running = check();
      return this.#running;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

function issuerOf(name: string): string {
  return `https://kubernetes.default.svc.cluster.local${embeddedPath(name)}`;
}

async function stop(api: ApiServer, housekeeping: Housekeeping): Promise<void> {
  api.stop();
  await housekeeping.stop();
}
