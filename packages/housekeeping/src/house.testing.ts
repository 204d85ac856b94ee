/** For tests: a server in memory with housekeeping, and time that passes when a test says so. */
import assert from 'node:assert/strict';
import { bootstrap, createApiServer, openEngine } from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Client, type Transport } from '@flotilla/client';
import {
  controllerManager,
  isNotFound,
  type Kind,
  type KubeObject,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
} from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { kinds } from './kinds.ts';
import { startHousekeeping, type Housekeeping } from './start-housekeeping.ts';

export interface HouseOptions {
  /** Stands between housekeeping and the server. */
  readonly through?: (transport: Transport) => Transport;
  /** Converts objects of custom kinds, as a webhook would. */
  readonly convert?: (object: KubeObject, apiVersion: string) => KubeObject;
}

export class House {
  readonly clock: ManualClock;
  readonly client: Client;
  readonly #housekeeping: Housekeeping;
  readonly #close: () => Promise<void>;

  private constructor(clock: ManualClock, client: Client, housekeeping: Housekeeping, close: () => Promise<void>) {
    this.clock = clock;
    this.client = client;
    this.#housekeeping = housekeeping;
    this.#close = close;
  }

  static async start({ through = (transport) => transport, convert }: HouseOptions = {}): Promise<House> {
    const clock = new ManualClock();
    const engine = await openEngine({ memory: true }, { clock });
    const api = createApiServer({
      store: engine.store('hub'),
      clock,
      ...(convert && { callWebhook: webhook(convert) }),
    });
    await bootstrap(api, 6443);
    const user = controllerManager;
    const open = () => inProcessTransport(api.handle, user, api.view);
    const client = createClient(open(), { clock, random: () => 0.5 });
    const starting = startHousekeeping({
      client: createClient(through(open()), { clock, random: () => 0.5 }),
      clock,
      random: () => 0.5,
      rootCertificate: 'PEM',
      signToken: ({ account, secret }) => `${account.name}:${secret.name}`,
    });
    // What fails at the start is tried again, which takes time.
    const housekeeping = await timePasses(clock, starting);
    const house = new House(clock, client, housekeeping, async () => {
      await housekeeping.stop();
      api.stop();
      await engine.close();
    });
    await house.settle();
    return house;
  }

  /** Lets time pass until nobody has anything to do. */
  async settle(seconds = 60): Promise<void> {
    for (let step = 0; step < seconds * 10; step++) {
      await this.clock.advance(100);
      if (step > 1 && this.#housekeeping.isAtRest()) return;
    }
    assert.fail(`housekeeping is still busy after ${seconds} seconds`);
  }

  close(): Promise<void> {
    return this.#close();
  }

  create<T extends KubeObject>(kind: Kind<T>, metadata: ObjectMeta, more: object = {}): Promise<T> {
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    return this.client.create(kind, { apiVersion, kind: kind.kind, metadata, ...more } as unknown as T);
  }

  configMap(name: string, metadata: ObjectMeta = {}): Promise<KubeObject> {
    return this.create(kinds.configMap, { name, namespace: 'default', ...metadata });
  }

  async find<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.client.get(kind, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Names of what is there, without what every namespace has. */
  async names(kind: Kind, namespace = 'default'): Promise<string[]> {
    const { items } = await this.client.list(kind, { namespace });
    return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
  }
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: KubeObject[] };
}

function webhook(convert: (object: KubeObject, apiVersion: string) => KubeObject) {
  return ({ body }: { readonly body: Uint8Array }) => {
    const { apiVersion, kind, request } = JSON.parse(Buffer.from(body).toString('utf8')) as Review;
    const convertedObjects = request.objects.map((object) => convert(object, request.desiredAPIVersion));
    const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
    const answer = Buffer.from(JSON.stringify({ apiVersion, kind, response }));
    return Promise.resolve({ status: 200, body: answer });
  };
}

async function timePasses<T>(clock: ManualClock, until: Promise<T>): Promise<T> {
  const going = new AbortController();
  const over = (): void => going.abort();
  void until.then(over, over);
  while (!going.signal.aborted) await clock.advance(100);
  return until;
}

export function ownerOf(
  { apiVersion, kind, metadata }: KubeObject,
  more: Partial<OwnerReference> = {},
): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...more };
}
