import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterFamily, memberClusters } from '@flotilla/api';
import type { SchedulerPlugin } from '@flotilla/scheduler';
import { startTestHub } from '@flotilla/testkit';
import { joinedStatus } from './scheduling.testing.ts';

const frozen: SchedulerPlugin = {
  name: 'Frozen',
  filter: ({ cluster }) => (cluster.metadata.annotations?.['frozen'] === undefined ? true : 'cluster is frozen'),
};

test('a plugin rejects a cluster in the status of the snapshot, until the cluster changes', async (context) => {
  const hub = await startTestHub({ controllers: ['scheduling'], schedulerPlugins: [frozen] });
  context.after(() => hub.stop());
  const spec = { identity: { kind: 'User', name: 'agent' }, heartbeatPeriodSeconds: 60 };
  const metadata = { name: 'sea', annotations: { frozen: 'yes' } };
  const cluster = await hub.client.create(memberClusters, {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata,
    spec,
  });
  const status = joinedStatus(new Date(hub.clock.now()));
  await hub.client.update(memberClusters, { ...cluster, status }, { subresource: 'status' });
  const selector = { group: '', version: 'v1', kind: 'Namespace', name: 'shop' };
  await hub.server.create(clusterFamily.placement, {
    metadata: { name: 'shop' },
    spec: { resourceSelectors: [selector] },
  });
  await hub.server.create(clusterFamily.policySnapshot, {
    metadata: {
      name: 'shop-0',
      labels: { 'kubernetes-fleet.io/parent-CRP': 'shop', 'kubernetes-fleet.io/is-latest-snapshot': 'true' },
      annotations: { 'kubernetes-fleet.io/CRP-generation': '1' },
    },
    spec: { policyHash: 'aGFzaA==' },
  });
  await hub.settle();
  const decisions = async () => {
    const snapshot = await hub.client.get(clusterFamily.policySnapshot, { name: 'shop-0' });
    return snapshot.status?.targetClusters?.map(({ selected, reason }) => (selected ? 'selected' : reason));
  };
  assert.deepEqual(await decisions(), ['ClusterUnschedulable, cluster is frozen']);
  const value = { metadata: { annotations: { frozen: null } } };
  await hub.client.patch(memberClusters, { name: 'sea' }, { type: 'merge', value });
  await hub.settle();
  assert.deepEqual(await decisions(), ['selected']);
});
