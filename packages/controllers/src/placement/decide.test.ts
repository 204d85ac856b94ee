import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, placementConditionType, type PlacementStatus } from '@flotilla/api';
import type { Plan, Write } from '@flotilla/runtime';
import { decidePlacement } from './decide.ts';
import type { SnapshotSettings } from './placement-state.ts';
import { noDelay, PlacementModel, selectionOf } from './state.testing.ts';

function decide(model: PlacementModel, settings: Partial<SnapshotSettings> = {}): Plan {
  return decidePlacement(model.state, { ...noDelay, ...settings }, model.now);
}

/** In short: `create web-0`, `patch web finalizers`, `patch web status`. */
function inShort({ steps }: Plan): string[] {
  return steps.flat().map((write) => {
    const name = 'object' in write ? (write.object.metadata.name ?? '') : write.key.name;
    return `${write.verb} ${name}${'subresource' in write ? ' status' : ''}`;
  });
}

/** The status that a plan writes. */
function statusIn({ steps }: Plan): PlacementStatus {
  const write = steps
    .flat()
    .find((one): one is Write & { verb: 'patch' } => one.verb === 'patch' && one.subresource === 'status');
  return write?.patch['status'] as PlacementStatus;
}

for (const family of families) {
  /** With its snapshots. */
  const start = (): PlacementModel => {
    const model = new PlacementModel(family);
    model.perform(decide(model));
    return model;
  };
  const scheduled = (plan: Plan): string => {
    const type = placementConditionType(family.placement, 'scheduled');
    const { status, reason, message } = statusIn(plan).conditions?.find((one) => one.type === type) ?? {};
    return `${status} ${reason}: ${message}`;
  };

  describe(`a ${family.placement.kind}`, () => {
    test('gets its finalizer before its snapshots', () => {
      const model = new PlacementModel(family);
      model.placement.metadata.finalizers = ['other'];
      const plan = decide(model);
      assert.deepEqual(inShort(plan), ['patch web', 'create web-0-snapshot', 'create web-0']);
      const [finalizer] = plan.steps[0] ?? [];
      assert.deepEqual(finalizer?.verb === 'patch' && finalizer.patch, {
        metadata: { resourceVersion: '1', finalizers: ['other', 'kubernetes-fleet.io/crp-cleanup'] },
      });
    });

    test('gets the finalizer of the scheduler with its own, if that runs beside it', () => {
      const model = new PlacementModel(family);
      model.placement.metadata.finalizers = [];
      const [[finalizer] = []] = decide(model, { isWithScheduling: true }).steps;
      assert.deepEqual(finalizer?.verb === 'patch' && finalizer.patch['metadata'], {
        resourceVersion: '1',
        finalizers: ['kubernetes-fleet.io/crp-cleanup', 'kubernetes-fleet.io/scheduler-cleanup'],
      });
    });

    test('gets its resources and its policy at the same time', () => {
      const { steps } = decide(new PlacementModel(family));
      assert.deepEqual(
        steps.map(({ length }) => length),
        [2],
      );
    });

    test('gets its status after its snapshots', () => {
      const plan = decide(start());
      assert.deepEqual(inShort(plan), ['patch web status']);
      assert.equal(scheduled(plan), 'Unknown SchedulePending: Scheduling has not completed');
      const { selectedResources, observedResourceIndex } = statusIn(plan);
      assert.deepEqual(selectedResources, [{ version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'map-0' }]);
      assert.equal(observedResourceIndex, '0');
    });

    test('gets nothing but its finalizer until it is known what it selects', () => {
      const model = new PlacementModel(family);
      model.selection = { pending: 'informers have not synced' };
      assert.deepEqual(inShort(decide(model)), []);
      model.placement.metadata.finalizers = [];
      assert.deepEqual(inShort(decide(model)), ['patch web']);
    });

    test('with selectors that cannot be used gets no snapshots, and says why', () => {
      const model = new PlacementModel(family);
      model.selection = { problem: 'failed to process the request due to a client error: because' };
      const plan = decide(model);
      assert.deepEqual(inShort(plan), ['patch web status']);
      assert.equal(
        scheduled(plan),
        'False InvalidResourceSelectors: The resource selectors are invalid: failed to process the request due to a client error: because',
      );
    });

    test('with a resource that no snapshot can hold says which, and tries nothing', () => {
      const model = new PlacementModel(family);
      model.selection = selectionOf(['a', 'b'], [100, 1_570_000]);
      const plan = decide(model);
      assert.deepEqual(inShort(plan), ['patch web status']);
      assert.match(scheduled(plan), /: ConfigMap shop\/map-1 has 1570000 bytes, a snapshot holds at most 1568768$/);
    });

    test('that is rolled out externally gets no resource snapshots', () => {
      const model = new PlacementModel(family, { strategy: { type: 'External' } });
      assert.deepEqual(inShort(decide(model)), ['create web-0']);
      model.perform(decide(model));
      assert.deepEqual(inShort(decide(model)), ['patch web status']);
    });

    test('shows what the old snapshots have while the new ones are delayed', () => {
      const model = start();
      model.selection = selectionOf(['one', 'two']);
      const settings = { ...noDelay, collectChangesMs: 15_000 };
      const first = decide(model, settings);
      assert.deepEqual(inShort(first), ['patch web-0-snapshot']);
      assert.equal(first.requeueAfterMs, 15_000);
      model.perform(first);
      const plan = decide(model, settings);
      assert.deepEqual(statusIn(plan).selectedResources, [
        { version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'map-0' },
      ]);
      assert.equal(plan.requeueAfterMs, 15_000);
    });

    test('deletes surplus snapshots with the plan that makes new ones', () => {
      const model = start();
      model.placement.spec.revisionHistoryLimit = 1;
      model.selection = selectionOf(['two']);
      const plan = decide(model);
      assert.deepEqual(inShort(plan), ['patch web-0-snapshot', 'create web-1-snapshot', 'delete web-0-snapshot']);
      model.perform(plan);
      assert.deepEqual(inShort(decide(model)), ['patch web status']);
    });

    test('deletes none of them before a new group is complete', () => {
      const model = start();
      model.placement.spec.revisionHistoryLimit = 1;
      model.selection = selectionOf(['two', 'three'], [800_000, 800_000]);
      const first = decide(model);
      assert.deepEqual(inShort(first), ['patch web-0-snapshot', 'create web-1-snapshot']);
      model.perform(first);
      assert.deepEqual(inShort(decide(model)), ['create web-1-0', 'delete web-0-snapshot']);
    });

    test('deletes surplus snapshots with its status if its limit was lowered', () => {
      const model = start();
      model.selection = selectionOf(['two']);
      model.perform(decide(model));
      model.placement.spec.revisionHistoryLimit = 1;
      assert.deepEqual(inShort(decide(model)), ['patch web status', 'delete web-0-snapshot']);
    });

    test('of which KubeFleet made the snapshots keeps them', () => {
      const model = start();
      const status = decide(model);
      const again = new PlacementModel(family);
      for (const kind of [family.policySnapshot, family.resourceSnapshot]) {
        for (const snapshot of [...model.policySnapshots, ...model.resourceSnapshots].filter(
          (one) => one.kind === kind.kind,
        )) {
          again.put(kind, snapshot);
        }
      }
      again.placement.status = statusIn(status);
      assert.deepEqual(inShort(decide(again)), []);
    });

    test('does not take over the snapshots of an earlier one of its name', () => {
      const model = start();
      model.placement.metadata.uid = 'another';
      const plan = decide(model);
      assert.deepEqual(inShort(plan), ['delete web-0', 'delete web-0-snapshot']);
      model.perform(plan);
      assert.deepEqual(inShort(decide(model)), ['create web-0-snapshot', 'create web-0']);
    });

    test('that is deleted takes its snapshots with it, and its finalizer after them', () => {
      const model = start();
      model.placement.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
      const plan = decide(model);
      assert.deepEqual(inShort(plan), ['delete web-0', 'delete web-0-snapshot', 'patch web']);
      assert.deepEqual(
        plan.steps.map(({ length }) => length),
        [2, 1],
      );
      assert.deepEqual(
        plan.events?.map(({ reason, message }) => `${reason}: ${message}`),
        ['PlacementCleanupFinalizerRemoved: Deleted the snapshots and removed the placement cleanup finalizer'],
      );
      model.placement.metadata.finalizers = ['kubernetes-fleet.io/scheduler-cleanup'];
      assert.deepEqual(inShort(decide(model)), []);
    });

    test('with a name that is too long for a label says so', () => {
      const model = new PlacementModel(family);
      model.placement.metadata.name = 'w'.repeat(64);
      assert.match(scheduled(decide(model)), /the name of the placement has 64 characters, snapshots allow 63$/);
    });
  });
}

test('a placement whose namespace must not change stops there', () => {
  const [family] = families;
  assert.ok(family);
  const selector = {
    group: '',
    version: 'v1',
    kind: 'Namespace',
    name: 'other',
    selectionScope: 'NamespaceOnly',
  } as const;
  const model = new PlacementModel(family, {
    statusReportingScope: 'NamespaceAccessible',
    resourceSelectors: [selector],
  });
  model.placement.status = { selectedResources: [{ version: 'v1', kind: 'Namespace', name: 'shop' }] };
  assert.deepEqual(inShort(decide(model)), ['patch web status']);
});
