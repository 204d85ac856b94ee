/** For tests: an API server in memory, without housekeeping, and a way to it on which a test may stand. */
import { bootstrap, createApiServer, openEngine } from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Client, type Transport } from '@flotilla/client';
import { administrator, apiVersionOf, customResourceDefinitions, type Kind, type KubeObject } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { atRest } from '@flotilla/testkit';
import type { Clock } from '@flotilla/timing';

export interface TestClusterOptions {
  readonly clock: Clock;
  readonly definitions?: readonly CustomResourceDefinition[];
}

export class TestCluster {
  /** As administrator. */
  readonly client: Client;
  readonly #open: () => Transport;
  readonly #clock: Clock;
  readonly #close: () => Promise<void>;

  private constructor(open: () => Transport, clock: Clock, close: () => Promise<void>) {
    this.#open = open;
    this.#clock = clock;
    this.#close = close;
    this.client = createClient(open(), { clock, random: () => 0.5 });
  }

  static async start({ clock, definitions = [] }: TestClusterOptions): Promise<TestCluster> {
    const engine = await openEngine({ memory: true }, { clock });
    const api = createApiServer({ store: engine.store('cluster'), clock });
    await bootstrap(api, 6443);
    const cluster = new TestCluster(
      () => inProcessTransport(api.handle, administrator, api.view),
      clock,
      async () => {
        api.stop();
        await engine.close();
      },
    );
    for (const definition of definitions) {
      await cluster.client.create(customResourceDefinitions, definition as unknown as KubeObject);
    }
    await atRest();
    return cluster;
  }

  /** A client whose requests pass by the test first. */
  through(stand: (transport: Transport) => Transport): Client {
    return createClient(stand(this.#open()), { clock: this.#clock, random: () => 0.5 });
  }

  create<T extends KubeObject>(kind: Kind<T>, object: object): Promise<T> {
    return this.client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object } as unknown as T);
  }

  close(): Promise<void> {
    return this.#close();
  }
}
