import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { ManualClock, seededRandom, startTestServer, type TestServer } from '@flotilla/testkit';
import { decodeStored } from '../../resources/object-bytes.ts';
import { IndexedStore, type Journal, type Transaction } from '../../store/index/indexed-store.ts';
import { StoreUnavailable, type Cursor, type Store, type StoreEvent } from '../../store/store.ts';
import type { Admission } from '../admission.ts';

/** A disk that takes some turns for each batch, and loses some of them. */
class UnreliableDisk implements Journal {
  turns: () => number = () => 0;
  isFailing: () => boolean = () => false;
  #batch: Transaction[] = [];

  append(transaction: Transaction): void {
    if (this.#batch.push(transaction) === 1) this.#flushAfter(this.turns());
  }

  #flushAfter(turns: number): void {
    setImmediate(() => (turns > 0 ? this.#flushAfter(turns - 1) : this.#flush()));
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    const isLost = this.isFailing();
    for (const transaction of batch) {
      if (isLost) {
        transaction.abort(new StoreUnavailable('the batch is lost'));
        continue;
      }
      transaction.commit();
      transaction.resolve();
    }
  }
}

type Totals = Record<string, number>;

/** What a namespace uses, counted independently of the server. `requests.cpu` is in thousandths. */
class Model {
  readonly #cursors: Cursor[];
  readonly #objects = new Map<string, KubeObject>();

  constructor(store: Store) {
    this.#cursors = ['secrets', 'services', 'pods', 'resourcequotas'].map((collection) => {
      const cursor = store.watch({ collection, prefix: 'default/' }, 0);
      assert.notEqual(cursor, 'compacted');
      return cursor as Cursor;
    });
  }

  /** Calls back with every state since the last call, in the order of revisions. */
  replay(check: (used: Totals, quotas: readonly KubeObject[]) => void): void {
    const events = this.#cursors.flatMap(drain).toSorted((a, b) => a.revision - b.revision);
    for (const { type, entry } of events) {
      const key = `${entry.key.collection}/${entry.key.name}`;
      if (type === 'put') this.#objects.set(key, decodeStored(entry.bytes));
      else this.#objects.delete(key);
      check(this.used(), this.#of('resourcequotas'));
    }
  }

  used(): Totals {
    const services = this.#of('services').map(({ spec }) => spec as { type: string; ports: unknown[] });
    const pods = this.#of('pods').filter(({ status }) => (status as JsonObject)['phase'] !== 'Succeeded');
    return {
      'count/secrets': this.#of('secrets').length,
      services: services.length,
      'services.nodeports': services.reduce(
        (sum, { type, ports }) => sum + (type === 'NodePort' ? ports.length : 0),
        0,
      ),
      'count/pods': this.#of('pods').length,
      pods: pods.length,
      'requests.cpu': pods.length * 300,
    };
  }

  #of(collection: string): KubeObject[] {
    return [...this.#objects].filter(([key]) => key.startsWith(`${collection}/`)).map(([, object]) => object);
  }
}

function drain(cursor: Cursor): StoreEvent[] {
  const events: StoreEvent[] = [];
  for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
    assert.notEqual(event, 'compacted');
    events.push(event as StoreEvent);
  }
  return events;
}

function totalsOf(quota: KubeObject, which: 'hard' | 'used'): Totals {
  const amounts = ((quota['status'] as JsonObject | undefined)?.[which] ?? {}) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(amounts).map(([name, text]) => {
      const number = text.endsWith('m')
        ? Number(text.slice(0, -1))
        : Number(text) * (name === 'requests.cpu' ? 1000 : 1);
      return [name, number];
    }),
  );
}

const base = '/api/v1/namespaces/default';
const merge = 'application/merge-patch+json';
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** One random write. Most of them compete for the same names and quotas. */
function randomWrite(server: TestServer, random: () => number): Promise<unknown> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const name = pick(names);
  const ports = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => ({ name: `p${at}`, port: 80 + at }));
  const spec = { type: pick(['ClusterIP', 'NodePort']), ports };
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '300m' } } }];
  const now = { gracePeriodSeconds: 0 };
  return pick([
    () => server.request('POST', `${base}/secrets`, { body: { metadata: { name } } }),
    () => server.request('POST', `${base}/secrets`, { body: { metadata: { generateName: 's-' } } }),
    () => server.request('DELETE', `${base}/secrets/${name}`),
    () => server.request('DELETE', `${base}/secrets`),
    () => server.request('POST', `${base}/services`, { body: { metadata: { name }, spec } }),
    () => server.request('PATCH', `${base}/services/${name}`, { body: { spec }, type: merge }),
    () => server.request('DELETE', `${base}/services/${name}`),
    () => server.request('POST', `${base}/pods`, { body: { metadata: { name }, spec: { containers } } }),
    () =>
      server.request('PATCH', `${base}/pods/${name}/status`, { body: { status: { phase: 'Succeeded' } }, type: merge }),
    () => server.request('DELETE', `${base}/pods/${name}`, { body: now }),
  ])();
}

function quota(server: TestServer, name: string, hard: Record<string, string>): Promise<unknown> {
  return server.request('POST', `${base}/resourcequotas`, { body: { metadata: { name }, spec: { hard } } });
}

const rounds = 25;

describe('under random concurrent writes, lost batches and slow webhooks,', () => {
  for (const seed of [1, 10, 14, 16, 21, 30]) {
    test(`quotas are never exceeded, and usage is never lost or kept (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const clock = new ManualClock();
      const disk = new UnreliableDisk();
      const store = new IndexedStore({ journal: disk, clock, retention: { maxAgeMs: 1e12, maxBytes: 1e9 } });
      const slow: Admission = {
        name: 'Slow',
        validate: async () => {
          for (let turns = Math.floor(random() * 3); turns > 0; turns--) await nextTurn();
        },
      };
      const disabledAdmission = ['ServiceAccount'];
      const server = await startTestServer({ store, clock, admission: [slow], disabledAdmission, housekeeping: true });
      const model = new Model(store);
      await quota(server, 'one', { 'count/secrets': '4', services: '3', 'services.nodeports': '4', pods: '4' });
      await quota(server, 'two', { 'count/secrets': '6', 'requests.cpu': '1', 'count/pods': '5' });
      await server.settle();
      model.replay(() => undefined);

      disk.isFailing = () => random() < 0.1;
      disk.turns = () => Math.floor(random() * 40);
      for (let round = 0; round < rounds; round++) {
        const writes = Array.from({ length: 1 + Math.floor(random() * 12) }, () => randomWrite(server, random));
        // Counts run between the writes.
        for (let step = 0; step < 5; step++) await clock.advance(random() * 8);
        await Promise.all(writes);
        if (round === 10) await quota(server, 'late', { services: '2' });
        model.replay((used, quotas) => {
          for (const one of quotas.filter(({ metadata }) => metadata.name !== 'late')) {
            for (const [name, limit] of Object.entries(totalsOf(one, 'hard'))) {
              const reported = totalsOf(one, 'used')[name] ?? 0;
              const state = `${name} of ${one.metadata.name}: ${used[name]} used, ${reported} reported, ${limit} allowed`;
              assert.ok((used[name] ?? 0) <= reported && reported <= limit, state);
            }
          }
        });
      }
      disk.isFailing = () => false;
      disk.turns = () => 0;
      await server.settle();
      model.replay(() => undefined);
      const { body } = await server.request('GET', `${base}/resourcequotas`);
      const used = model.used();
      const quotas = body['items'] as KubeObject[];
      for (const one of quotas) {
        const counted = totalsOf(one, 'used');
        const expected = Object.fromEntries(Object.keys(counted).map((name) => [name, used[name]]));
        assert.deepEqual(counted, expected);
      }
      await server.stop();
    });
  }
});
