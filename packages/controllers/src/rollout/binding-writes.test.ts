import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Binding } from '@flotilla/api';
import { changed, deleted, isSameStrategy, reported, reportedAfterChange } from './binding-writes.ts';
import { aBinding, afterwards, now, ready, strategyDefaults } from './rollout.testing.ts';

const none = { clusterResourceOverrideSnapshots: [], resourceOverrideSnapshots: [] };

for (const family of families) {
  describe(`a ${family.binding.kind}`, () => {
    function after(binding: Binding, change: Parameters<typeof changed>[2]): Binding | undefined {
      return afterwards(binding, { steps: [changed(family, binding, change)] });
    }

    test('gets state, resources, overrides, strategy and finalizer in one write', () => {
      const binding = aBinding(family, 'a', { state: 'Scheduled', applyStrategy: undefined, finalizers: ['other'] });
      const overrides = {
        clusterResourceOverrideSnapshots: ['cro-0'],
        resourceOverrideSnapshots: [{ name: 'ro-0', namespace: 'app' }],
      };
      const change = { applyStrategy: strategyDefaults, resources: { latest: 's', overrides }, addsFinalizer: true };
      const [write, ...more] = changed(family, binding, change);
      assert.deepEqual(more, []);
      assert.deepEqual(write?.verb === 'patch' && write.patch, {
        metadata: { resourceVersion: '7', finalizers: ['other', 'kubernetes-fleet.io/work-cleanup'] },
        spec: { state: 'Bound', resourceSnapshotName: 's', ...overrides, applyStrategy: strategyDefaults },
      });
    });

    test('keeps a finalizer that it has, and gets none if works run elsewhere', () => {
      const change = { resources: { latest: 's', overrides: none } };
      const finalizers = ['kubernetes-fleet.io/work-cleanup'];
      const owned = aBinding(family, 'a', { finalizers });
      assert.deepEqual(after(owned, { ...change, addsFinalizer: true })?.metadata.finalizers, finalizers);
      const free = aBinding(family, 'a');
      assert.equal(after(free, { ...change, addsFinalizer: false })?.metadata.finalizers, undefined);
    });

    test('loses overrides that are for it no more', () => {
      const overrides = { clusterResourceOverrideSnapshots: ['cro-0'] };
      const { spec } =
        after(aBinding(family, 'a', { overrides }), { resources: { latest: 's', overrides: none } }) ?? {};
      assert.equal(spec !== undefined && 'clusterResourceOverrideSnapshots' in spec, false);
    });

    test('keeps nothing of an old strategy', () => {
      const applyStrategy = {
        ...strategyDefaults,
        type: 'ServerSideApply' as const,
        allowCoOwnership: true,
        serverSideApplyConfig: { force: true },
      };
      const binding = aBinding(family, 'a', { applyStrategy });
      assert.deepEqual(after(binding, { applyStrategy: strategyDefaults })?.spec.applyStrategy, strategyDefaults);
    });

    test('is deleted only as it was seen', () => {
      const write = deleted(family, aBinding(family, 'a'));
      assert.deepEqual(write.verb === 'delete' && [write.uid, write.resourceVersion], ['u-a', '7']);
    });

    test('says whether its rollout has started, and keeps its other conditions', () => {
      const binding = aBinding(family, 'a', { generation: 3, conditions: ready });
      const conditionsAfter = (report: Parameters<typeof reported>[2]) =>
        afterwards(binding, { steps: [reported(family, binding, report, now)] })?.status?.conditions;
      const yes = conditionsAfter({ isStarted: true });
      assert.deepEqual(yes?.[0], {
        type: 'RolloutStarted',
        status: 'True',
        reason: 'RolloutStarted',
        message: 'Detected the new changes on the resources and started the rollout process',
        observedGeneration: 3,
        lastTransitionTime: '2026-01-01T12:00:00Z',
      });
      const no = conditionsAfter({ isStarted: false });
      assert.deepEqual(no?.[0], {
        type: 'RolloutStarted',
        status: 'False',
        reason: 'RolloutNotStartedYet',
        message: 'The resources cannot be updated to the latest because of the rollout strategy',
        observedGeneration: 3,
        lastTransitionTime: '2026-01-01T12:00:00Z',
      });
      assert.deepEqual([yes.length, no.length], [2, 2]);
    });

    test('says so about the generation and the version that a change makes', () => {
      const write = reportedAfterChange(family, aBinding(family, 'a', { conditions: ready }), { isStarted: true }, now);
      const { metadata, status } = (write.verb === 'patch' ? write.patch : {}) as Partial<Binding>;
      assert.deepEqual(metadata, { resourceVersion: '7' });
      assert.equal(write.verb === 'patch' && write.isFollowUp, true);
      assert.deepEqual(
        status?.conditions?.map(({ type, observedGeneration }) => `${type} ${observedGeneration}`),
        ['RolloutStarted 3', 'Available 2'],
      );
    });
  });
}

test('strategies are the same if they mean the same', () => {
  assert.ok(isSameStrategy({ ...strategyDefaults, allowCoOwnership: false }, strategyDefaults));
  assert.ok(!isSameStrategy({ ...strategyDefaults, allowCoOwnership: true }, strategyDefaults));
  const applied = { ...strategyDefaults, type: 'ServerSideApply' as const };
  const unforced = { ...applied, serverSideApplyConfig: { force: false } };
  assert.ok(isSameStrategy({ ...applied, serverSideApplyConfig: {} }, unforced));
  assert.ok(!isSameStrategy({ ...applied, serverSideApplyConfig: { force: true } }, unforced));
  assert.ok(!isSameStrategy(undefined, strategyDefaults));
});
