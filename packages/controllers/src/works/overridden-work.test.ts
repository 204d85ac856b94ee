import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { clusterFamily, type ClusterResourceOverrideSnapshot } from '@flotilla/api';
import { anEnvelope, aRole, objectsOf, sync } from './sync.testing.ts';
import { aBinding, aCluster, aConfigMap, aSnapshot, aState, aWork } from './works.testing.ts';

describe('overrides', () => {
  function overrideOf(path: string): ClusterResourceOverrideSnapshot {
    const rule = {
      overrideType: 'JSONPatch' as const,
      clusterSelector: { clusterSelectorTerms: [] },
      jsonPatchOverrides: [{ op: 'add' as const, path, value: '${MEMBER-CLUSTER-NAME}' }],
    };
    return {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'ClusterResourceOverrideSnapshot',
      metadata: { name: 'cro-0' },
      spec: {
        overrideHash: 'aA==',
        overrideSpec: {
          clusterResourceSelectors: [
            { group: '', version: 'v1', kind: 'Namespace', name: 'shop', selectionScope: 'NamespaceWithResources' },
          ],
          policy: { overrideRules: [rule] },
        },
      },
    };
  }
  const binding = aBinding(clusterFamily, { clusterResourceOverrideSnapshots: ['cro-0'] });
  const reading = (path: string) => ({ cluster: () => overrideOf(path), namespaced: () => undefined });

  test('change manifests and the hash of the Work', () => {
    const [work] = objectsOf(sync(aState(clusterFamily, { binding, read: reading('/data/cluster') })));
    const [manifest] = work?.spec?.workload?.manifests ?? [];
    assert.deepEqual(manifest?.['data'], { key: 'a', cluster: 'sea' });
    assert.equal(
      work?.metadata.annotations?.['kubernetes-fleet.io/parent-cluster-resource-override-snapshot-hash'],
      createHash('sha256').update('["cro-0"]').digest('hex'),
    );
    assert.ok(work);
    // The hash says that they were applied; the snapshot may be gone by now.
    assert.deepEqual(sync(aState(clusterFamily, { binding, works: [work] })), { writes: [] });
  });

  test('of a namespaced kind have a hash of their own', () => {
    const named = aBinding(clusterFamily, { resourceOverrideSnapshots: [{ namespace: 'shop', name: 'ro-0' }] });
    const work = aWork(clusterFamily);
    const hash = createHash('sha256').update('[{"name":"ro-0","namespace":"shop"}]').digest('hex');
    work.metadata.annotations = {
      ...work.metadata.annotations,
      'kubernetes-fleet.io/parent-resource-override-snapshot-hash': hash,
    };
    assert.deepEqual(sync(aState(clusterFamily, { binding: named, works: [work] })), { writes: [] });
  });

  test('that fail leave all Works as they are', () => {
    const snapshots = [aSnapshot(clusterFamily, [aRole, aConfigMap('a')])];
    const { writes, failure } = sync(aState(clusterFamily, { binding, snapshots, read: reading('/no/path') }));
    assert.deepEqual(writes, []);
    assert.equal(failure?.step, 'Overridden');
    assert.match(
      failure.message,
      /^ClusterResourceOverrideSnapshot "cro-0" failed to apply on ConfigMap "a" in namespace "shop": /,
    );
  });

  test('that fail in an envelope name the envelope and the whole cause, where KubeFleet cuts the sentence', () => {
    const envelope = anEnvelope('ResourceEnvelope', 'e', { k: aConfigMap('a') }, { namespace: 'shop' });
    const snapshots = [aSnapshot(clusterFamily, [envelope])];
    assert.match(
      sync(aState(clusterFamily, { binding, snapshots, read: reading('/no/path') })).failure?.message ?? '',
      /^failed to apply overrides to ConfigMap "a" in namespace "shop" from envelope shop\/e: ClusterResourceOverrideSnapshot "cro-0" failed to apply on ConfigMap "a" in namespace "shop": /,
    );
  });

  test('that are gone before they were applied are an error', () => {
    assert.deepEqual(sync(aState(clusterFamily, { binding })).failure, {
      step: 'Overridden',
      message: 'clusterResourceOverrideSnapshot cro-0 is not found',
    });
  });

  test('read the labels of the member', () => {
    const selective = overrideOf('/data/cluster');
    const [rule] = selective.spec.overrideSpec.policy?.overrideRules ?? [];
    assert.ok(rule);
    rule.clusterSelector = { clusterSelectorTerms: [{ labelSelector: { matchLabels: { region: 'south' } } }] };
    const read = { cluster: () => selective, namespaced: () => undefined };
    const dataOn = (region: string): unknown => {
      const cluster = aCluster({ labels: { region } });
      const [work] = objectsOf(sync(aState(clusterFamily, { binding, read, cluster })));
      return work?.spec?.workload?.manifests?.[0]?.['data'];
    };
    assert.deepEqual([dataOn('north'), dataOn('south')], [{ key: 'a' }, { key: 'a', cluster: 'sea' }]);
  });
});
