import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type PerClusterStatus, type PlacementSpec } from '@flotilla/api';

import { placementStatus } from './placement-status.ts';
import type { StatusState } from './status-state.ts';
import {
  aDecision,
  aPlacement,
  aPolicySnapshot,
  aScheduled,
  aState,
  dated,
  now,
  nowText,
  textsOf,
} from './status.testing.ts';

for (const family of families) {
  describe(`the schedule of a ${family.placement.kind}`, () => {
    const statusOf = (changes: Partial<StatusState> = {}) =>
      placementStatus(aState(family, ['sea', 'sky'], changes), now);
    const clustersOf = (changes: Partial<StatusState> = {}) => statusOf(changes).placementStatuses ?? [];
    describe('Scheduled', () => {
      const pendingRows: Readonly<Record<string, Partial<StatusState>>> = {
        'there is no policy snapshot': { policySnapshot: undefined },
        'the scheduler has not decided': { policySnapshot: aPolicySnapshot(family, [], { conditions: [] }) },
        'the decision is Unknown': {
          policySnapshot: aPolicySnapshot(family, [], { conditions: [aScheduled('Unknown')] }),
        },
        'the decision is about an earlier snapshot': {
          policySnapshot: aPolicySnapshot(family, [], { conditions: [aScheduled('True', 0)] }),
        },
      };
      for (const [title, changes] of Object.entries(pendingRows)) {
        test(`is Unknown, and clusters are not shown, while ${title}`, () => {
          const before = statusOf();
          const status = statusOf({ ...changes, placement: aPlacement(family, {}, before) });
          assert.equal(status.placementStatuses, undefined);
          assert.equal(status.observedResourceIndex, '4');
          const [scheduled, ...others] = status.conditions ?? [];
          assert.deepEqual(textsOf(scheduled && [scheduled]), [
            'Scheduled=Unknown SchedulePending: Scheduling has not completed',
          ]);
          assert.deepEqual(others, before.conditions?.slice(1));
        });
      }

      type Row = readonly [n: number, selected: number, status: 'True' | 'False', now: 'True' | 'False' | 'Unknown'];
      const rows: readonly Row[] = [
        [2, 2, 'True', 'True'],
        [3, 2, 'True', 'Unknown'],
        [1, 2, 'True', 'Unknown'],
        [3, 2, 'False', 'False'],
        [2, 2, 'False', 'Unknown'],
      ];
      for (const [n, selected, status, expected] of rows) {
        test(`of an earlier generation, ${status} with ${selected} clusters, is ${expected} if the policy is the same and wants ${n}`, () => {
          const decisions = ['sea', 'sky', 'sun'].slice(0, selected).map((cluster) => aDecision(cluster));
          const [scheduled] =
            statusOf({
              placement: aPlacement(family, { policy: { placementType: 'PickN', numberOfClusters: n } }),
              policySnapshot: aPolicySnapshot(family, decisions, {
                observedCRPGeneration: 2,
                conditions: [aScheduled(status)],
              }),
            }).conditions ?? [];
          assert.equal(scheduled?.status, expected);
          assert.equal(scheduled?.observedGeneration, 3);
        });
      }

      test('does not become pending when something else than the policy changes', () => {
        const policySnapshot = aPolicySnapshot(family, [aDecision('sea')], { observedCRPGeneration: 2 });
        const status = statusOf({ policySnapshot });
        assert.equal(status.conditions?.[0]?.status, 'True');
        assert.equal(status.placementStatuses?.length, 1);
      });
    });

    describe('slots without a cluster', () => {
      const decisions = [aDecision('sea'), aDecision('a', false), aDecision('b', false)];
      const rows: readonly (readonly [title: string, policy: PlacementSpec['policy'], unmet: readonly string[]])[] = [
        ['PickN 3', { placementType: 'PickN', numberOfClusters: 3 }, ['a', 'b']],
        ['PickN 2', { placementType: 'PickN', numberOfClusters: 2 }, ['a']],
        ['PickN 9, for the clusters that there are', { placementType: 'PickN', numberOfClusters: 9 }, ['a', 'b']],
        ['PickN 0, though there is one too many', { placementType: 'PickN', numberOfClusters: 0 }, []],
        ['PickFixed', { placementType: 'PickFixed', clusterNames: ['sea', 'b'] }, ['a']],
        ['PickAll', { placementType: 'PickAll' }, []],
        ['no policy', undefined, []],
      ];
      for (const [title, policy, unmet] of rows) {
        test(`are shown for ${title}`, () => {
          const clusters = clustersOf({
            placement: aPlacement(family, policy && { policy }),
            policySnapshot: aPolicySnapshot(family, decisions, { conditions: [aScheduled('False')] }),
          });
          const expected: PerClusterStatus[] = unmet.map((cluster) => ({
            conditions: [
              {
                type: 'Scheduled',
                status: 'False',
                observedGeneration: 3,
                lastTransitionTime: nowText,
                reason: 'ScheduleFailed',
                message: `no room on ${cluster}`,
              },
            ],
          }));
          assert.deepEqual(clusters.slice(1), expected);
        });
      }

      test('keep their transition time', () => {
        const changes = {
          policySnapshot: aPolicySnapshot(family, decisions, { conditions: [aScheduled('False')] }),
          placement: aPlacement(family, { policy: { placementType: 'PickN', numberOfClusters: 3 } }),
        };
        const before = dated(statusOf(changes));
        const placement = { ...changes.placement, status: before };
        assert.deepEqual(statusOf({ ...changes, placement }), before);
      });
    });
  });
}
