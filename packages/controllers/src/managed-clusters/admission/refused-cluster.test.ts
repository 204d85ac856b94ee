import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedCluster } from '@flotilla/api';
import { invalidCluster, rightsToJoin } from './refused-cluster.ts';
import { refusedMirrorChange } from './refused-mirror-change.ts';

function cluster(changes: Partial<ManagedCluster> = {}, metadata: Partial<ManagedCluster['metadata']> = {}) {
  const kind = { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster' };
  return { ...kind, metadata: { name: 'sea', ...metadata }, ...changes } satisfies ManagedCluster;
}

const at = (...urls: string[]) => ({
  spec: { leaseDurationSeconds: 60, managedClusterClientConfigs: urls.map((url) => ({ url })) },
});

test('addresses of a cluster need TLS and a host', () => {
  assert.equal(invalidCluster(cluster()), undefined);
  assert.equal(invalidCluster(cluster(at('https://sea:6443'))), undefined);
  for (const url of ['http://sea', 'https://', 'sea', '']) {
    assert.equal(invalidCluster(cluster(at(url))), `url "${url}" is invalid in client configs`);
  }
  assert.match(
    invalidCluster(cluster(at('http://sea'), { name: 'a.b' })) ?? '',
    /^metadata\.name format is not correct: .*\nurl "http:\/\/sea" is invalid/,
  );
});

test('a cluster that moves between sets needs the rights to both', () => {
  const inSet = (name: string) => cluster({}, { labels: { 'cluster.open-cluster-management.io/clusterset': name } });
  const rights = (now: ManagedCluster, old?: ManagedCluster) => rightsToJoin(now, old, 'anna').map(({ name }) => name);
  assert.deepEqual(rights(inSet('blue')), ['blue']);
  assert.deepEqual(rights(inSet('blue'), inSet('blue')), []);
  assert.deepEqual(rights(inSet('blue'), inSet('red')), ['red', 'blue']);
  assert.deepEqual(rights(cluster(), inSet('red')), ['red']);
});

test('a mirror changes only with its MemberCluster, except for what others note in it', () => {
  const apiVersion = 'cluster.kubernetes-fleet.io/v1beta1';
  const ownerReferences = [{ apiVersion, kind: 'MemberCluster', name: 'sea', uid: 'u1', controller: true }];
  const spec = { leaseDurationSeconds: 60, taints: [{ key: 'a', effect: 'NoSelectIfNew' as const }] };
  const mirror = cluster({ spec }, { ownerReferences });
  const isRefused = (now: ManagedCluster, old?: ManagedCluster) => refusedMirrorChange(now, old) !== undefined;
  const unreachable = { key: 'cluster.open-cluster-management.io/unreachable', effect: 'NoSelect' as const };
  const allowed: ManagedCluster[] = [
    cluster({ spec }, { ownerReferences, annotations: { a: 'b' }, finalizers: ['x/y'] }),
    cluster({ spec }, { ownerReferences, labels: { 'feature.open-cluster-management.io/addon-x': 'available' } }),
    cluster({ spec: { ...spec, taints: [...spec.taints, unreachable] } }, { ownerReferences }),
  ];
  const refused: ManagedCluster[] = [
    cluster({ spec }, { ownerReferences, labels: { env: 'x' } }),
    cluster({ spec: { ...spec, taints: [] } }, { ownerReferences }),
    cluster({ spec: { ...spec, hubAcceptsClient: false } }, { ownerReferences }),
    cluster({ spec, status: { conditions: [] } }, { ownerReferences }),
    cluster({ spec }, {}),
  ];
  for (const now of allowed) assert.equal(isRefused(now, mirror), false);
  for (const now of refused) assert.equal(isRefused(now, mirror), true);
  assert.equal(isRefused(mirror), true, 'only the hub makes mirrors');
  assert.equal(isRefused(mirror, cluster({ spec })), true, 'no object becomes a mirror');
  assert.equal(isRefused(cluster({ spec }), cluster()), false, 'others are free');
});
