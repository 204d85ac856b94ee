import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families } from '@flotilla/api';
import { policyHashOf } from './policy-hash.ts';
import { policySnapshotSteps } from './policy-snapshot.ts';
import { PlacementModel } from './state.testing.ts';

const pickOne = { placementType: 'PickN', numberOfClusters: 1 } as const;

for (const family of families) {
  const start = (): PlacementModel => {
    const model = new PlacementModel(family, { policy: pickOne });
    model.perform({ steps: policySnapshotSteps(model.state) });
    return model;
  };
  const perform = (model: PlacementModel): number => model.perform({ steps: policySnapshotSteps(model.state) });

  describe(`the policy snapshot of a ${family.placement.kind}`, () => {
    test("is KubeFleet's", () => {
      const [snapshot] = start().policySnapshots;
      const { name, namespace, labels, annotations, ownerReferences } = snapshot?.metadata ?? {};
      assert.equal(name, 'web-0');
      assert.equal(namespace, family.placement.namespaced ? 'shop' : undefined);
      assert.deepEqual(labels, {
        'kubernetes-fleet.io/parent-CRP': 'web',
        'kubernetes-fleet.io/is-latest-snapshot': 'true',
        'kubernetes-fleet.io/policy-index': '0',
      });
      assert.deepEqual(annotations, {
        'kubernetes-fleet.io/CRP-generation': '1',
        'kubernetes-fleet.io/number-of-clusters': '1',
      });
      assert.deepEqual(ownerReferences, [
        {
          apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
          kind: family.placement.kind,
          name: 'web',
          uid: 'uid-of-web',
          controller: true,
          blockOwnerDeletion: true,
        },
      ]);
      assert.deepEqual(snapshot?.spec, { policy: pickOne, policyHash: policyHashOf(pickOne) });
    });

    test('of a placement without a policy has none, and no number of clusters', () => {
      const model = new PlacementModel(family);
      perform(model);
      const [snapshot] = model.policySnapshots;
      assert.deepEqual(snapshot?.spec, { policyHash: policyHashOf(undefined) });
      assert.deepEqual(snapshot?.metadata.annotations, { 'kubernetes-fleet.io/CRP-generation': '1' });
    });

    test('is not written again', () => {
      assert.equal(perform(start()), 0);
    });

    test('stays the same if only the number of clusters or the strategy changes, with one write', () => {
      const model = start();
      model.change({ policy: { ...pickOne, numberOfClusters: 3 } });
      assert.equal(perform(model), 1);
      assert.deepEqual(model.summary, ['web-0 latest']);
      assert.deepEqual(model.policySnapshots[0]?.metadata.annotations, {
        'kubernetes-fleet.io/CRP-generation': '2',
        'kubernetes-fleet.io/number-of-clusters': '3',
      });
      model.change({ strategy: { type: 'RollingUpdate' } });
      assert.equal(perform(model), 1);
      assert.deepEqual(model.summary, ['web-0 latest']);
      assert.equal(perform(model), 0);
    });

    test('is replaced if the policy changes', () => {
      const model = start();
      model.change({ policy: { ...pickOne, tolerations: [{ operator: 'Exists' }] } });
      assert.equal(perform(model), 2);
      assert.deepEqual(model.summary, ['web-0 old', 'web-1 latest']);
    });

    test('is created after a crash that left none with the label, or gets its label back if the policy changed back', () => {
      const model = start();
      model.change({ policy: { ...pickOne, tolerations: [{ operator: 'Exists' }] } });
      model.perform({ steps: policySnapshotSteps(model.state) }, 1);
      assert.deepEqual(model.summary, ['web-0 old']);
      const other = start();
      other.change({ policy: { ...pickOne, tolerations: [{ operator: 'Exists' }] } });
      other.perform({ steps: policySnapshotSteps(other.state) }, 1);
      perform(model);
      assert.deepEqual(model.summary, ['web-0 old', 'web-1 latest']);
      other.change({ policy: pickOne });
      perform(other);
      assert.deepEqual(other.summary, ['web-0 latest']);
    });

    test('is the only one with the label, whatever users did to it', () => {
      const model = start();
      const [snapshot] = model.policySnapshots;
      assert.ok(snapshot);
      const { labels } = snapshot.metadata;
      const metadata = { name: 'web-7', labels: { ...labels, 'kubernetes-fleet.io/policy-index': '7' } };
      model.put(family.policySnapshot, { ...snapshot, metadata });
      perform(model);
      assert.deepEqual(model.summary, ['web-0 old', 'web-7 latest']);
    });

    test('gets no index that exists, or existed and is still in use', () => {
      const model = start();
      model.remove(family.policySnapshot, 'web-0');
      model.bind('sea', '', 'web-4');
      model.put(family.policySnapshot, { apiVersion: '', kind: '', metadata: { name: 'web-5' } });
      perform(model);
      assert.deepEqual(model.summary, ['web-5', 'web-6 latest']);
    });
  });
}
