import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, namespacedFamily, type ApplyStrategy } from '@flotilla/api';
import { objectsOf, sync, textsOf } from './sync.testing.ts';
import {
  aBinding,
  aConfigMap,
  aSnapshot,
  aState,
  aStrategy,
  aWork,
  baseIn,
  earlier,
  namespaceIn,
  noHash,
} from './works.testing.ts';

for (const family of families) {
  const base = baseIn(family);

  describe(`the Works of a ${family.binding.kind}`, () => {
    test('carry the names, labels and annotations of KubeFleet', () => {
      const applyStrategy = aStrategy('ServerSideApply');
      const binding = aBinding(family, { applyStrategy });
      const [work] = objectsOf(sync(aState(family, { binding, works: [] })));
      const namespace = namespaceIn(family);
      assert.deepEqual(work, {
        apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
        kind: 'Work',
        metadata: {
          namespace: 'fleet-member-sea',
          name: `${base}-work`,
          labels: {
            'kubernetes-fleet.io/parent-resource-binding': 'web-sea-1234',
            'kubernetes-fleet.io/parent-CRP': 'web',
            'kubernetes-fleet.io/parent-resource-snapshot-index': '4',
            ...(namespace && { 'kubernetes-fleet.io/parent-placement-namespace': namespace }),
          },
          annotations: {
            'kubernetes-fleet.io/parent-resource-snapshot-name': 'web-4-snapshot',
            'kubernetes-fleet.io/parent-resource-override-snapshot-hash': noHash,
            'kubernetes-fleet.io/parent-cluster-resource-override-snapshot-hash': noHash,
          },
        },
        spec: { workload: { manifests: [aConfigMap('a')] }, applyStrategy },
      });
    });

    test("have the agent's finalizer from the start if the agent is ours", () => {
      const finalizersOf = (hasOurAgent: boolean) =>
        objectsOf(sync(aState(family, { hasOurAgent, works: [] })))[0]?.metadata.finalizers;
      assert.deepEqual(finalizersOf(true), ['kubernetes-fleet.io/work-cleanup']);
      assert.equal(finalizersOf(false), undefined);
    });

    test('are one for each snapshot of the group, even if it selects nothing', () => {
      const snapshots = [
        aSnapshot(family, [aConfigMap('a')], { count: 3 }),
        aSnapshot(family, [aConfigMap('b')], { subindex: '0' }),
        aSnapshot(family, [], { subindex: '1' }),
      ];
      const made = objectsOf(sync(aState(family, { snapshots, works: [] })));
      assert.deepEqual(
        made.map(({ metadata, spec }) => [metadata.name, spec?.workload]),
        [
          [`${base}-work`, { manifests: [aConfigMap('a')] }],
          [`${base}-0`, { manifests: [aConfigMap('b')] }],
          [`${base}-1`, {}],
        ],
      );
    });

    test('are left alone while index and overrides are the same', () => {
      const changed = { ...aWork(family), spec: { workload: { manifests: [aConfigMap('by-hand')] } } };
      assert.deepEqual(textsOf(sync(aState(family, { works: [changed] }))), []);
    });

    test('are updated in place for another index, with what others added', () => {
      const work = aWork(family, { finalizers: ['kubernetes-fleet.io/work-cleanup'] });
      work.metadata.labels = {
        ...work.metadata.labels,
        'kubernetes-fleet.io/parent-resource-snapshot-index': '3',
        x: 'y',
      };
      const made = sync(aState(family, { works: [work], snapshots: [aSnapshot(family, [aConfigMap('b')])] }));
      assert.deepEqual(textsOf(made), [`update Work ${base}-work`]);
      const [updated] = objectsOf(made);
      assert.deepEqual(updated?.spec?.workload, { manifests: [aConfigMap('b')] });
      assert.equal(updated?.metadata.labels?.['kubernetes-fleet.io/parent-resource-snapshot-index'], '4');
      assert.equal(updated?.metadata.labels?.['x'], 'y');
      assert.deepEqual(updated?.metadata.finalizers, ['kubernetes-fleet.io/work-cleanup']);
      assert.equal(updated?.metadata.resourceVersion, '9');
    });

    test('are deleted when no snapshot makes them any more', () => {
      const surplus = aWork(family, { name: `${base}-7`, uid: 'w7' });
      assert.deepEqual(textsOf(sync(aState(family, { works: [aWork(family), surplus] }))), [`delete Work ${base}-7`]);
    });

    test('follow the apply strategy, where false and absent are the same', () => {
      const strategy: ApplyStrategy = { ...aStrategy('ServerSideApply'), serverSideApplyConfig: {} };
      const same: ApplyStrategy = { ...strategy, serverSideApplyConfig: { force: false }, allowCoOwnership: false };
      const work = { ...aWork(family), spec: { ...aWork(family).spec, applyStrategy: same } };
      const binding = aBinding(family, { applyStrategy: strategy });
      assert.deepEqual(textsOf(sync(aState(family, { binding, works: [work] }))), []);
      const [updated] = objectsOf(sync(aState(family, { binding })));
      assert.deepEqual(updated?.spec, { workload: { manifests: [aConfigMap('a')] }, applyStrategy: strategy });
    });

    test('follow the strategy for reporting back, and lose it when the placement reports nothing', () => {
      const strategy = { type: 'Mirror', destination: 'WorkAPI' } as const;
      const [mirroring] = objectsOf(sync(aState(family, { reportBack: { strategy } })));
      assert.deepEqual(mirroring?.spec?.reportBackStrategy, strategy);
      assert.ok(mirroring);
      const disabled = { strategy: { type: 'Disabled' } } as const;
      const [updated] = objectsOf(sync(aState(family, { works: [mirroring], reportBack: disabled })));
      assert.deepEqual(updated?.spec, { workload: { manifests: [aConfigMap('a')] } });
      // Without a placement, nothing says that the strategy is wrong.
      assert.deepEqual(textsOf(sync(aState(family, { works: [mirroring], reportBack: undefined }))), []);
      assert.deepEqual(textsOf(sync(aState(family, { reportBack: disabled }))), []);
    });

    test('stay when their snapshot is gone, and still get the apply strategy', () => {
      const binding = aBinding(family, { applyStrategy: aStrategy('ReportDiff') });
      const gone = sync(aState(family, { binding, snapshots: [] }));
      assert.deepEqual([textsOf(gone), gone.failure], [[`update Work ${base}-work`], undefined]);
      const early = aWork(family);
      delete early.metadata.annotations;
      assert.equal(sync(aState(family, { works: [early], snapshots: [] })).failure, undefined);
    });

    test('cannot be made from a snapshot that does not exist', () => {
      const other = aBinding(family, { resourceSnapshotName: 'web-5-snapshot' });
      for (const state of [
        aState(family, { works: [], snapshots: [] }),
        aState(family, { binding: other, snapshots: [] }),
      ]) {
        assert.deepEqual(sync(state), {
          writes: [],
          failure: { step: 'Overridden', message: 'the master resource snapshot is not found' },
        });
      }
    });

    test('wait for all snapshots of the group', () => {
      const snapshots = [aSnapshot(family, [], { count: 2 })];
      const placement = namespaceIn(family) === undefined ? 'web' : 'shop/web';
      assert.deepEqual(sync(aState(family, { snapshots })).failure, {
        step: 'Overridden',
        waitingSince: Date.parse(earlier),
        message:
          'not all resource snapshot in the same index group are created: resource snapshots are still being created ' +
          'for the masterResourceSnapshot web-4-snapshot, total snapshot in the index group = 2, num Of existing ' +
          `snapshot in the group= 1, placement = ${placement}`,
      });
    });

    test('are not made from snapshots with labels or annotations that make no sense', () => {
      const bad = [
        { metadata: { annotations: { 'kubernetes-fleet.io/number-of-resource-snapshots': 'many' } } },
        {
          metadata: { labels: { 'kubernetes-fleet.io/parent-CRP': 'web', 'kubernetes-fleet.io/resource-index': '-1' } },
        },
      ];
      for (const options of bad) {
        assert.match(
          sync(aState(family, { snapshots: [aSnapshot(family, [], options)] })).failure?.message ?? '',
          /^master resource snapshot web-4-snapshot for placement (shop\/)?web has an invalid /,
        );
      }
      const snapshots = [aSnapshot(family, [], { count: 2 }), aSnapshot(family, [], { subindex: '__proto__' })];
      assert.match(sync(aState(family, { snapshots })).failure?.message ?? '', /has an invalid sub-index annotation$/);
    });
  });

  describe(`the name of a Work of a ${family.binding.kind}`, () => {
    const name = `${base}-work`;

    test('is free again when the agent has deleted the former one', () => {
      const deleting = aWork(family, { deletionTimestamp: earlier });
      const { failure } = sync(aState(family, { works: [deleting] }));
      assert.deepEqual(failure, {
        step: 'WorkSynchronized',
        message: `an earlier work ${name} in namespace fleet-member-sea is still being deleted by the agent of the member cluster`,
        waitingSince: Date.parse(earlier),
      });
      const rivals = [{ work: deleting, binding: { name: 'web-sea-old' } }];
      assert.deepEqual(sync(aState(family, { works: [], rivals })).failure, failure);
    });

    test('is taken over from a binding that is gone', () => {
      const labels = { ...aWork(family).metadata.labels, 'kubernetes-fleet.io/parent-resource-binding': 'web-sea-old' };
      const rivals = [{ work: aWork(family, { labels }), binding: undefined }];
      const made = sync(aState(family, { works: [], rivals }));
      assert.deepEqual(textsOf(made), [`update Work ${name}`]);
      const [work] = objectsOf(made);
      assert.equal(work?.metadata.labels?.['kubernetes-fleet.io/parent-resource-binding'], 'web-sea-1234');
    });

    test('is not taken from another binding', () => {
      const rivals = [{ work: aWork(family), binding: { name: 'web-sea-old' } }];
      const { writes, failure } = sync(aState(family, { works: [], rivals }));
      assert.deepEqual(writes, []);
      assert.equal(
        failure?.message,
        `the work ${name} in namespace fleet-member-sea belongs to the binding web-sea-old of the same placement`,
      );
    });
  });
}

test('a ClusterResourcePlacement and a ResourcePlacement whose Works have the same name do not fight', () => {
  const labels = {
    'kubernetes-fleet.io/parent-resource-binding': 'shop.web-sea-1',
    'kubernetes-fleet.io/parent-CRP': 'shop.web',
  };
  const rivals = [{ work: aWork(namespacedFamily, { labels }), binding: { name: 'shop.web-sea-1' } }];
  const { writes, failure } = sync(aState(namespacedFamily, { works: [], rivals }));
  assert.deepEqual(writes, []);
  assert.deepEqual(failure, {
    step: 'WorkSynchronized',
    message:
      'the work shop.web-work in namespace fleet-member-sea belongs to the placement shop.web; rename one of the two placements',
  });
});
