import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Condition } from '@flotilla/api';
import { placementStatus } from './placement-status.ts';
import type { StatusState } from './status-state.ts';
import { aPlacement, aPolicySnapshot, aState, dated, earlier, now, nowText, textsOf } from './status.testing.ts';

for (const family of families) {
  describe(`the status of a ${family.placement.kind}`, () => {
    const state = (changes: Partial<StatusState> = {}) => aState(family, ['sea', 'sky'], changes);
    const statusOf = (changes: Partial<StatusState> = {}) => placementStatus(state(changes), now);
    const prefix = family.placement.kind;

    test('repeats what the bindings say', () => {
      const status = statusOf();
      assert.deepEqual(textsOf(status.conditions), [
        'Scheduled=True SchedulingPolicyFulfilled: found all cluster needed',
        'RolloutStarted=True RolloutStarted: All 2 cluster(s) start rolling out the latest resource',
        'Overridden=True NoOverrideSpecified: No override rules are configured for the selected resources',
        "WorkSynchronized=True WorkSynchronized: Work(s) are successfully created or updated in 2 target cluster(s)' namespaces",
        'Applied=True ApplySucceeded: The selected resources are successfully applied to 2 cluster(s)',
        'Available=True ResourceAvailable: The selected resources in 2 cluster(s) are available now',
      ]);
      assert.deepEqual(
        status.conditions?.map(({ type, observedGeneration, lastTransitionTime }) => [
          type.startsWith(prefix),
          observedGeneration,
          lastTransitionTime,
        ]),
        status.conditions?.map(() => [true, 3, nowText]),
      );
      assert.deepEqual(status.selectedResources, [{ version: 'v1', kind: 'Namespace', name: 'web' }]);
      assert.equal(status.observedResourceIndex, '4');
      assert.deepEqual(
        status.placementStatuses?.map(({ clusterName, observedResourceIndex, conditions }) => ({
          clusterName,
          observedResourceIndex,
          conditions: textsOf(conditions),
        })),
        ['sea', 'sky'].map((cluster) => ({
          clusterName: cluster,
          observedResourceIndex: '4',
          conditions: [
            `Scheduled=True Scheduled: picked ${cluster}`,
            `RolloutStarted=True RolloutStartedIsTrue: RolloutStarted is True on ${cluster}`,
            `Overridden=True OverriddenIsTrue: Overridden is True on ${cluster}`,
            `WorkSynchronized=True WorkSynchronizedIsTrue: WorkSynchronized is True on ${cluster}`,
            `Applied=True AppliedIsTrue: Applied is True on ${cluster}`,
            `Available=True AvailableIsTrue: Available is True on ${cluster}`,
          ],
        })),
      );
    });

    test('has no condition but Scheduled if no cluster was selected', () => {
      const { conditions = [] } = statusOf();
      const synced: Condition = {
        type: `${prefix}StatusSynced`,
        status: 'True',
        lastTransitionTime: earlier,
        reason: 'StatusSyncSucceeded',
        message: '',
      };
      const placement = aPlacement(family, {}, { conditions: [...conditions, synced] });
      const policySnapshot = aPolicySnapshot(family, []);
      const status = statusOf({ placement, policySnapshot });
      assert.deepEqual(
        status.conditions?.map(({ type }) => type.slice(prefix.length)),
        ['Scheduled', 'StatusSynced'],
      );
      assert.equal(status.placementStatuses, undefined);
    });

    test('is the same again if nothing has changed', () => {
      const before = dated(statusOf());
      const after = statusOf({ placement: aPlacement(family, {}, before) });
      assert.deepEqual(after, before);
      assert.equal(after.placementStatuses?.[0], before.placementStatuses?.[0]);
    });
  });
}
