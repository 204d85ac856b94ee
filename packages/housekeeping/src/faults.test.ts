import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { seededRandom, startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from './kinds.ts';
import { Faults } from './faulty-transport.testing.ts';
import { ownerOf } from './objects.testing.ts';

const seeds = [1, 2, 3, 4, 5];
const steps = 120;

/** What some user does, the same for the same seed. */
async function live(house: TestServer, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const made: KubeObject[] = [];
  const owners = (namespace: string): OwnerReference[] => {
    const near = made.filter(({ metadata }) => metadata.namespace === namespace || random() < 0.05);
    return Array.from({ length: Math.min(below(3), near.length) }, () => {
      const owner = near[below(near.length)] ?? assert.fail('nobody');
      // Who is held lets go of those that do not block it, and it is chance whether they went before.
      const isHeld = (owner.metadata.finalizers ?? []).length > 0;
      return ownerOf(owner, isHeld || random() < 0.5 ? { blockOwnerDeletion: true } : {});
    });
  };
  for (let step = 0; step < steps; step++) {
    const namespace = `sea-${below(3)}`;
    const chosen = made[below(made.length)];
    const action = below(10);
    if (action < 5)
      await makeOne(house, made, {
        namespace,
        name: `thing-${step}`,
        references: owners(namespace),
        isHeld: random() < 0.1,
      });
    else if (action < 8 && chosen) await removeOne(house, chosen, below(3));
    else if (action === 8 && chosen) await unfinalize(house, chosen);
    else if (random() < 0.3) await house.client.delete(kinds.namespace, { name: namespace }).catch(() => {});
    await house.settle({ patienceMs: 3_600_000 });
  }
}

interface Wanted {
  readonly namespace: string;
  readonly name: string;
  readonly references: readonly OwnerReference[];
  readonly isHeld: boolean;
}

async function makeOne(
  house: TestServer,
  made: KubeObject[],
  { namespace, name, references, isHeld }: Wanted,
): Promise<void> {
  const ownerReferences = references.filter(({ uid }, at) => references.findIndex((other) => other.uid === uid) === at);
  // Who is held and owned goes in one way or another, depending on how far its owner is: of these there are none.
  const finalizers = isHeld && ownerReferences.length === 0 ? ['x.y/z'] : [];
  const metadata = { name, namespace, ownerReferences, finalizers };
  if (!(await house.find(kinds.namespace, { name: namespace }))) {
    await house.create(kinds.namespace, { metadata: { name: namespace } });
  }
  // In a namespace that is on its way out nothing is made.
  const object = await house.create(kinds.configMap, { metadata }).catch(() => undefined);
  if (object) made.push(object);
}

async function removeOne(house: TestServer, { metadata }: KubeObject, policy: number): Promise<void> {
  const propagationPolicy = (['Background', 'Foreground', 'Orphan'] as const)[policy] ?? 'Background';
  const { namespace, name = '', uid = '' } = metadata;
  await house.client.delete(kinds.configMap, { namespace, name }, { uid, propagationPolicy }).catch(() => {});
}

async function unfinalize(house: TestServer, { metadata: { namespace, name = '' } }: KubeObject): Promise<void> {
  const value = { metadata: { finalizers: null } };
  await house.client.patch(kinds.configMap, { namespace, name }, { type: 'merge', value }).catch(() => {});
}

/** All that is left, in words: uids and moments differ from run to run. */
async function stateOf(house: TestServer): Promise<string[]> {
  const states: string[] = [];
  for (const kind of [kinds.namespace, kinds.configMap, kinds.serviceAccount, kinds.clusterRole]) {
    const { items } = await house.client.list<KubeObject>(kind);
    for (const { metadata, status, rules } of items) {
      const { namespace = '', name = '', finalizers = [], ownerReferences = [], deletionTimestamp } = metadata;
      // What goes keeps the owners it had when that was decided, which depends on who of them went first.
      const lasting = deletionTimestamp === undefined ? ownerReferences : [];
      const owned = lasting.map((owner) => `${owner.name}${owner.blockOwnerDeletion ? '!' : ''}`);
      const isGoing = deletionTimestamp === undefined ? '' : 'going';
      const conditions = (
        (status as { conditions?: { type: string; status: string; message: string }[] })?.conditions ?? []
      )
        .map((condition) => `${condition.type}=${condition.status} ${condition.message}`)
        .join();
      const told = [kind.kind, namespace, name, finalizers.join(), owned.join(), isGoing, conditions];
      states.push([...told, JSON.stringify(rules)].join(' '));
    }
  }
  return states.sort();
}

async function stateAfter(seed: number, faults?: Faults): Promise<string[]> {
  const house = await startTestServer({ housekeeping: faults ? { through: faults.through } : true });
  try {
    await live(house, seed);
    if (faults) faults.isOn = false;
    await house.settle({ patienceMs: 3_600_000 });
    return await stateOf(house);
  } finally {
    await house.stop();
  }
}

describe('housekeeping among failures, cuts and conflicts', () => {
  for (const seed of seeds) {
    test(`ends where it would have ended without them, seed ${seed}`, async () => {
      const faults = new Faults(seed, { requests: 0.35, views: 0.1 });
      const expected = await stateAfter(seed);
      assert.deepEqual(await stateAfter(seed, faults), expected);
      assert.ok(faults.happened > 20, `only ${faults.happened} faults happened`);
    });
  }
});
