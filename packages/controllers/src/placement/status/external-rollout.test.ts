import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type PlacementSpec } from '@flotilla/api';

import { placementStatus } from './placement-status.ts';
import { identifiersIn } from './snapshot-identifiers.ts';
import type { StatusState } from './status-state.ts';
import {
  aBinding,
  aPlacement,
  aResourceSnapshot,
  aState,
  available,
  now,
  textsOf,
  type Progress,
} from './status.testing.ts';

const external: Partial<PlacementSpec> = { strategy: { type: 'External' } };

for (const family of families) {
  describe(`a ${family.placement.kind} with the rollout left to update runs`, () => {
    const statusOf = (changes: Partial<StatusState> = {}) =>
      placementStatus(aState(family, ['sea', 'sky'], changes), now);

    const placement = aPlacement(family, external);
    const snapshots = [aResourceSnapshot(family, '4', ['web', 'db']), aResourceSnapshot(family, '3', ['web'])];
    const externalWith = (names: readonly string[], progress: Progress = available) =>
      placementStatus(
        aState(family, ['sea', 'sky'], {
          placement,
          snapshots,
          resourcesIn: (master) =>
            identifiersIn(snapshots.filter(({ metadata }) => metadata.name === master.metadata.name)),
          bindings: ['sea', 'sky'].map((cluster, at) =>
            aBinding(family, cluster, progress, { spec: { resourceSnapshotName: names[at] ?? '' } }),
          ),
        }),
        now,
      );
    const unknown =
      'RolloutStarted=Unknown RolloutControlledByExternalController: Rollout is controlled by an external controller and';

    test('has no resources while clusters have different ones', () => {
      for (const names of [
        ['web-4-snapshot', 'web-3-snapshot'],
        ['web-4-snapshot', ''],
        ['web-4-snapshot', 'web-9-snapshot'],
      ]) {
        const status = externalWith(names);
        assert.deepEqual(textsOf(status.conditions).slice(1), [
          `${unknown} different resource snapshot versions are observed across clusters`,
        ]);
        assert.deepEqual([status.observedResourceIndex, status.selectedResources], [undefined, undefined]);
        assert.equal(status.placementStatuses?.[0]?.observedResourceIndex, '4');
        assert.equal(status.placementStatuses?.[1]?.conditions?.length, 6);
      }
    });

    test('has no resources while no cluster has any', () => {
      const status = externalWith(['', 'web-9-snapshot']);
      assert.deepEqual(textsOf(status.conditions).slice(1), [
        `${unknown} no resource snapshot name is observed across clusters. To determine rollout status, check the ${family.updateRun.kind} resources with spec.placementName matching this placement`,
      ]);
      assert.deepEqual([status.observedResourceIndex, status.selectedResources], [undefined, undefined]);
    });

    test('has the resources that all clusters have, not the latest ones', () => {
      const status = externalWith(['web-3-snapshot', 'web-3-snapshot']);
      assert.equal(status.observedResourceIndex, '3');
      assert.deepEqual(status.selectedResources, [{ version: 'v1', kind: 'Namespace', name: 'web' }]);
      assert.equal(status.conditions?.length, 6);
    });

    test('names a cluster on which the rollout is unknown', () => {
      const status = externalWith(['web-4-snapshot', 'web-4-snapshot'], {});
      assert.deepEqual(textsOf(status.conditions).slice(1), [
        `${unknown} cluster sea is in RolloutStarted Unknown state`,
      ]);
      assert.equal(status.observedResourceIndex, '4');
      assert.equal(status.selectedResources?.length, 2);
    });

    test('counts clusters that are blocked', () => {
      const status = externalWith(['web-4-snapshot', 'web-4-snapshot'], { RolloutStarted: 'False' });
      assert.deepEqual(textsOf(status.conditions).slice(1), [
        'RolloutStarted=False RolloutNotStartedYet: The rollout is being blocked by the rollout strategy in 2 cluster(s)',
      ]);
    });

    test('has no index of its own while scheduling is pending', () => {
      const status = statusOf({ placement, policySnapshot: undefined });
      assert.equal(status.observedResourceIndex, undefined);
      assert.equal(status.selectedResources?.length, 1);
    });
  });
}
