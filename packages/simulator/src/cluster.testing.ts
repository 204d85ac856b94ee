/** A server in memory with chosen controllers and a manual clock. The test acts as everything else, for instance as kubelet. */
import type { Client } from '@flotilla/client';
import {
  apiVersionOf,
  controllerManager,
  events,
  type JsonObject,
  type Kind,
  type KubeObject,
  type ObjectMeta,
} from '@flotilla/kube';
import { EventRecorder, runControllers, type Controller } from '@flotilla/runtime';
import { ManualClock, settle, startTestServer, type WrapTransport } from '@flotilla/testkit';
import { kinds, type Pod } from './kinds.ts';
import { installNodes } from './nodes/install-nodes.ts';
import { startSimulator, type RunningSimulator } from './start-simulator.ts';
import { installStorageClass } from './volume-claims/install-storage-class.ts';

export interface TestCluster {
  readonly client: Client;
  readonly clock: ManualClock;
  /** The revision of the store: it grows with every write. */
  readonly revision: () => number;
  /** Lets the controllers work until they wait for a change or a timer. */
  readonly rest: () => Promise<void>;
  /** What the controllers wrote, without events: `PUT replicasets/web/status`. */
  readonly writes: readonly string[];
  readonly create: <T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    spec: JsonObject,
    more?: Partial<ObjectMeta>,
  ) => Promise<T>;
  readonly get: <T extends KubeObject>(kind: Kind<T>, name: string) => Promise<T>;
  readonly patch: (kind: Kind, name: string, value: JsonObject, subresource?: string) => Promise<void>;
  readonly remove: (kind: Kind, name: string) => Promise<void>;
  readonly list: <T extends KubeObject>(kind: Kind<T>) => Promise<readonly T[]>;
  /** Pods that are not being deleted. */
  readonly livePods: () => Promise<readonly Pod[]>;
  /** `Reason: message` of the events about this object, sorted. */
  readonly eventsAbout: (name: string) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

const namespace = 'default';

export async function startTestCluster(controllers: readonly Controller[]): Promise<TestCluster> {
  const clock = new ManualClock();
  const random = () => 0.5;
  const server = await startTestServer({ clock });
  const client = server.connect({ user: controllerManager });
  const recorder = new EventRecorder({ client, clock, random });
  const writes: string[] = [];
  const wrap: WrapTransport = (transport) => ({
    ...transport,
    send: (request) => {
      if (request.method !== 'GET')
        writes.push(`${request.method} ${request.path.split(`/namespaces/${namespace}/`).at(-1)}`);
      return transport.send(request);
    },
  });
  const observed = server.connect({ user: controllerManager, wrap });
  const running = runControllers({ client: observed, clock, random, controllers, events: recorder });
  await running.ready;
  const rest = () => settle(clock, () => running.isAtRest() && recorder.isAtRest, { stepMs: 1 });
  const list = async <T extends KubeObject>(kind: Kind<T>): Promise<readonly T[]> =>
    (await client.list(kind, { namespace })).items;
  return {
    client,
    clock,
    revision: () => server.store.revision,
    writes,
    rest,
    list,
    create: async (kind, name, spec, more = {}) => {
      const metadata = { name, namespace, ...more };
      const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
      await client.create(kind, object as never);
      await rest();
      return client.get(kind, { namespace, name });
    },
    get: (kind, name) => client.get(kind, { namespace, name }),
    patch: async (kind, name, value, subresource) => {
      const options = subresource === undefined ? {} : { subresource };
      await client.patch(kind, { namespace, name }, { type: 'merge', value }, options);
      await rest();
    },
    remove: async (kind, name) => {
      await client.delete(kind, { namespace, name });
      await rest();
    },
    livePods: async () => (await list(kinds.pod)).filter(({ metadata }) => metadata.deletionTimestamp === undefined),
    eventsAbout: async (name) => {
      const about = (await list(events)).filter((event) => (event['involvedObject'] as ObjectMeta).name === name);
      return about.map(({ reason, message }) => `${reason as string}: ${message as string}`).sort();
    },
    stop: async () => {
      await running.stop();
      await recorder.stop();
      await server.stop();
    },
  };
}

export interface SimulatedCluster {
  readonly client: Client;
  readonly clock: ManualClock;
  readonly simulator: RunningSimulator;
  /** The revision of the store: it grows with every write. */
  readonly revision: () => number;
  readonly stop: () => Promise<void>;
}

/** A server in memory with nodes, a storage class and the whole simulator, on a manual clock. */
export async function startSimulatedCluster(): Promise<SimulatedCluster> {
  const clock = new ManualClock();
  const server = await startTestServer({ clock });
  const client = server.connect({ user: controllerManager });
  await installNodes(client, new Date(clock.now()));
  await installStorageClass(client);
  const simulator = await startSimulator({ client, clock, random: () => 0.5 });
  return {
    client,
    clock,
    simulator,
    revision: () => server.store.revision,
    stop: async () => {
      await simulator.stop();
      await server.stop();
    },
  };
}
