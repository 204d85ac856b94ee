/** The rollout beside the scheduler, which creates the first bindings of a placement as the rollout would change them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clusterFamily, memberClusters } from '@flotilla/api';
import { namespaces } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';
import { joinedStatus } from '../scheduling/scheduling.testing.ts';

const { placement, binding } = clusterFamily;

let hub: TestHub;
before(async () => {
  hub = await startTestHub({ controllers: ['placement', 'scheduling', 'rollout', 'works'] });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await addMember(name);
  await hub.server.create(namespaces, { metadata: { name: 'shop' } });
  await hub.settle();
});
after(() => hub.stop());

async function addMember(name: string): Promise<void> {
  const spec = { identity: { kind: 'User', name } };
  await hub.server.create(namespaces, { metadata: { name: `fleet-member-${name}` } });
  await hub.server.create(memberClusters, { metadata: { name }, spec });
  const cluster = await hub.client.get(memberClusters, { name });
  const status = joinedStatus(new Date(hub.clock.now()));
  await hub.client.update(memberClusters, { ...cluster, status }, { subresource: 'status' });
}

/** How often the rollout has looked at a placement. */
function looks(): number {
  const counts = hub.metrics.text().matchAll(/reconcile_total\{[^}]*placement-rollout-controller[^}]*\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function statesOf(name: string): Promise<string[]> {
  const { items } = await hub.client.list(binding, { labelSelector: `kubernetes-fleet.io/parent-CRP=${name}` });
  return items.map(({ spec }) => `${spec.state} ${spec.resourceSnapshotName}`);
}

async function place(name: string, rollingUpdate: object): Promise<void> {
  const resourceSelectors = [{ group: '', version: 'v1', kind: 'Namespace', name: 'shop' }];
  const strategy = { type: 'RollingUpdate', rollingUpdate };
  const policy = { placementType: 'PickN', numberOfClusters: 5 };
  await hub.server.create(placement, { metadata: { name }, spec: { resourceSelectors, policy, strategy } });
}

test('looks once at the bindings that are created together, a moment later', async () => {
  const before = looks();
  await place('web', { maxUnavailable: '100%' });
  await hub.clock.advance(500);
  assert.deepEqual(
    await statesOf('web'),
    Array.from({ length: 5 }, () => 'Bound web-0-snapshot'),
  );
  const ofPlacementAndSnapshot = 2;
  assert.equal(looks() - before, ofPlacementAndSnapshot);
  await hub.clock.advance(1_000);
  assert.equal(looks() - before, ofPlacementAndSnapshot + 1);
});
