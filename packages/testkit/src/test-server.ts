import {
  checkPolicyTypes,
  bootstrap,
  createApiServer,
  openEngine,
  type ApiServer,
  type ApiServerOptions,
  type StorageEngine,
  type Store,
} from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Client, type Transport } from '@flotilla/client';
import { startHousekeeping, type Housekeeping, type HousekeepingOptions } from '@flotilla/housekeeping';
import {
  administrator,
  apiVersionOf,
  controllerManager,
  customResourceDefinitions,
  isNotFound,
  type ApiResponse,
  type Kind,
  type KubeObject,
  type ObjectKey,
  type User,
} from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { LoopTurns } from '@flotilla/timing';
import { flushPromises, ManualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';
import { settle, type SettleOptions } from './settle.ts';
import { parsed, requestOf, textOf, TestWatch, type WireAnswer, type WireRequestOptions } from './wire.ts';

/** Wraps the transport of a client, to observe, change or refuse its requests. */
export type WrapTransport = (transport: Transport) => Transport;

/** How the housekeeping of a server differs from that of most tests. */
interface TestHousekeeping extends Pick<HousekeepingOptions, 'sleepsWithoutObjects'> {
  readonly wrap?: WrapTransport;
}

export interface TestServerOptions extends Partial<Omit<ApiServerOptions, 'clock' | 'turns'>> {
  readonly clock?: ManualClock;
  /** Created before the start resolves. */
  readonly definitions?: readonly CustomResourceDefinition[];
  /**
   * Runs the controllers of kube-controller-manager: namespaces, garbage collection, service accounts and more. Without
   * them no service account exists, so pods are admitted without one.
   */
  readonly housekeeping?: boolean | TestHousekeeping;
}

const random = (): number => 0.5;

/** A Kubernetes API server in memory, without sockets, on a clock that the test advances. */
export class TestServer {
  readonly clock: ManualClock;
  readonly api: ApiServer;
  readonly store: Store;
  readonly turns: LoopTurns;
  /** The administrator's client. */
  readonly client: Client;
  readonly #engine: StorageEngine;
  #housekeeping: Housekeeping | undefined;

  private constructor(engine: StorageEngine, clock: ManualClock, options: Partial<ApiServerOptions>) {
    this.#engine = engine;
    this.clock = clock;
    this.store = options.store ?? engine.store('test');
    this.turns = new LoopTurns();
    this.api = createApiServer({
      clock,
      turns: this.turns,
      uid: countedUids(),
      random: seededRandom(1),
      address: () => '127.0.0.1:6443',
      ...options,
      store: this.store,
    });
    this.client = this.connect();
  }

  static async start(options: TestServerOptions = {}): Promise<TestServer> {
    const { clock = new ManualClock(), definitions = [], housekeeping = false, ...rest } = options;
    const engine = await openEngine({ memory: true }, { clock });
    const disabledAdmission = housekeeping === false ? ['ServiceAccount'] : [];
    const server = new TestServer(engine, clock, { disabledAdmission, ...rest });
    await bootstrap(server.api, 6443);
    if (housekeeping !== false) await server.#startHousekeeping(housekeeping === true ? {} : housekeeping);
    for (const definition of definitions) {
      await server.client.create(customResourceDefinitions, definition as unknown as KubeObject);
    }
    await server.settle();
    return server;
  }

  async #startHousekeeping({ wrap, ...options }: TestHousekeeping): Promise<void> {
    const { clock } = this;
    const client = this.connect({ user: controllerManager, ...(wrap && { wrap }) });
    // Housekeeping retries failed requests, which needs the clock to advance.
    this.#housekeeping = await clock.advanceUntil(
      startHousekeeping({
        ...options,
        client,
        clock,
        random,
        rootCertificate: 'PEM',
        signToken: ({ account, secret }) => `${account.name}:${secret.name}`,
        checkPolicyTypes: (policy) => checkPolicyTypes(policy, this.api.parts.registry),
      }),
    );
  }

  /** A new client for a user, or one whose transport the test wraps. */
  connect({
    user = administrator,
    wrap = (same) => same,
  }: { readonly user?: User; readonly wrap?: WrapTransport } = {}): Client {
    const transport = inProcessTransport(this.api.handle, user, this.api.view, this.api.viewBuiltins);
    return createClient(wrap(transport), { clock: this.clock, random });
  }

  /** Whether nothing happens before an object changes or time passes. */
  isAtRest(): boolean {
    return this.#housekeeping?.isAtRest() ?? true;
  }

  /** Advances the clock until housekeeping, if it runs, has nothing to do. */
  settle(options?: SettleOptions): Promise<void> {
    return this.#housekeeping === undefined ? flushPromises() : settle(this.clock, () => this.isAtRest(), options);
  }

  async stop(): Promise<void> {
    await this.#housekeeping?.stop();
    this.api.stop();
    await this.#engine.close();
  }

  /** Creates an object. Sets `apiVersion` and `kind`. */
  create<T extends KubeObject>(kind: Kind<T>, object: object): Promise<T> {
    return this.client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object } as unknown as T);
  }

  /** Returns undefined if the object does not exist. */
  async find<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.client.get(kind, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Sends a request without a client, and reads the whole answer. */
  async request(method: string, target: string, options: WireRequestOptions = {}): Promise<WireAnswer> {
    const { status, headers, body } = await this.send(method, target, options);
    const text = await textOf(body);
    return { status, headers, text, body: parsed(text) };
  }

  /** Sends a request without a client, and leaves the answer unread. */
  send(method: string, target: string, options: WireRequestOptions = {}, signal?: AbortSignal): Promise<ApiResponse> {
    return Promise.resolve(this.api.handle(requestOf(method, target, options, signal)));
  }

  /** Opens a watch and collects its events. */
  async watch(target: string, options: WireRequestOptions = {}): Promise<TestWatch> {
    const stop = new AbortController();
    const { status, body } = await this.send('GET', target, options, stop.signal);
    if (status !== 200 || !('start' in body)) throw new Error(`watch refused: ${await textOf(body)}`);
    const watch = new TestWatch(stop, this.turns);
    body.start(watch.sink);
    return watch;
  }
}

function countedUids(): () => string {
  let count = 0;
  return () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}
