import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { seededRandom, startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from './kinds.ts';
import { Faults } from './faulty-transport.testing.ts';
import { ownerOf } from './objects.testing.ts';

const seeds = [1, 2, 3, 4, 5];
const steps = 120;

/** Acts like a user; the same seed gives the same actions. */
async function actAsUser(server: TestServer, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const made: KubeObject[] = [];
  const owners = (namespace: string): OwnerReference[] => {
    const near = made.filter(({ metadata }) => metadata.namespace === namespace || random() < 0.05);
    return Array.from({ length: Math.min(below(3), near.length) }, () => {
      const owner = near[below(near.length)] ?? assert.fail('no owner');
      // An owner with a finalizer does not wait for dependents that do not block it, so their end depends on timing.
      const isHeld = (owner.metadata.finalizers ?? []).length > 0;
      return ownerOf(owner, isHeld || random() < 0.5 ? { blockOwnerDeletion: true } : {});
    });
  };
  for (let step = 0; step < steps; step++) {
    const namespace = `sea-${below(3)}`;
    const chosen = made[below(made.length)];
    const action = below(10);
    if (action < 5)
      await makeOne(server, made, {
        namespace,
        name: `thing-${step}`,
        references: owners(namespace),
        isHeld: random() < 0.1,
      });
    else if (action < 8 && chosen) await removeOne(server, chosen, below(3));
    else if (action === 8 && chosen) await unfinalize(server, chosen);
    else if (random() < 0.3) await server.client.delete(kinds.namespace, { name: namespace }).catch(() => {});
    await server.settle({ timeoutMs: 3_600_000 });
  }
}

interface Wanted {
  readonly namespace: string;
  readonly name: string;
  readonly references: readonly OwnerReference[];
  readonly isHeld: boolean;
}

async function makeOne(
  server: TestServer,
  made: KubeObject[],
  { namespace, name, references, isHeld }: Wanted,
): Promise<void> {
  const ownerReferences = references.filter(({ uid }, at) => references.findIndex((other) => other.uid === uid) === at);
  // How an owned object with a finalizer is deleted depends on timing, so none is created.
  const finalizers = isHeld && ownerReferences.length === 0 ? ['x.y/z'] : [];
  const metadata = { name, namespace, ownerReferences, finalizers };
  if (!(await server.find(kinds.namespace, { name: namespace }))) {
    await server.create(kinds.namespace, { metadata: { name: namespace } });
  }
  // A terminating namespace refuses creates.
  const object = await server.create(kinds.configMap, { metadata }).catch(() => undefined);
  if (object) made.push(object);
}

async function removeOne(server: TestServer, { metadata }: KubeObject, policy: number): Promise<void> {
  const propagationPolicy = (['Background', 'Foreground', 'Orphan'] as const)[policy] ?? 'Background';
  const { namespace, name = '', uid = '' } = metadata;
  await server.client.delete(kinds.configMap, { namespace, name }, { uid, propagationPolicy }).catch(() => {});
}

async function unfinalize(server: TestServer, { metadata: { namespace, name = '' } }: KubeObject): Promise<void> {
  const value = { metadata: { finalizers: null } };
  await server.client.patch(kinds.configMap, { namespace, name }, { type: 'merge', value }).catch(() => {});
}

/** All remaining objects as text, without uids and times, which differ from run to run. */
async function stateOf(server: TestServer): Promise<string[]> {
  const states: string[] = [];
  for (const kind of [kinds.namespace, kinds.configMap, kinds.serviceAccount, kinds.clusterRole]) {
    const { items } = await server.client.list<KubeObject>(kind);
    for (const { metadata, status, rules } of items) {
      const { namespace = '', name = '', finalizers = [], ownerReferences = [], deletionTimestamp } = metadata;
      // Which owners a deleted object still names depends on timing.
      const lasting = deletionTimestamp === undefined ? ownerReferences : [];
      const owned = lasting.map((owner) => `${owner.name}${owner.blockOwnerDeletion ? '!' : ''}`);
      const deletion = deletionTimestamp === undefined ? '' : 'deleted';
      const conditions = (
        (status as { conditions?: { type: string; status: string; message: string }[] })?.conditions ?? []
      )
        .map((condition) => `${condition.type}=${condition.status} ${condition.message}`)
        .join();
      const fields = [kind.kind, namespace, name, finalizers.join(), owned.join(), deletion, conditions];
      states.push([...fields, JSON.stringify(rules)].join(' '));
    }
  }
  return states.sort();
}

async function stateAfter(seed: number, faults?: Faults): Promise<string[]> {
  const server = await startTestServer({ housekeeping: faults ? { wrap: faults.through } : true });
  try {
    await actAsUser(server, seed);
    if (faults) faults.isOn = false;
    await server.settle({ timeoutMs: 3_600_000 });
    return await stateOf(server);
  } finally {
    await server.stop();
  }
}

describe('housekeeping under failures, lost connections and conflicts', () => {
  for (const seed of seeds) {
    test(`ends in the same state as without them, seed ${seed}`, async () => {
      const faults = new Faults(seed, { requests: 0.35, views: 0.1 });
      const expected = await stateAfter(seed);
      assert.deepEqual(await stateAfter(seed, faults), expected);
      assert.ok(faults.happened > 20, `only ${faults.happened} faults happened`);
    });
  }
});
