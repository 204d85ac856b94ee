import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Condition } from '@flotilla/api';

import { placementStatus } from './placement-status.ts';
import type { StatusState } from './status-state.ts';
import {
  aBinding,
  aDecision,
  aPlacement,
  aPolicySnapshot,
  aScheduled,
  aState,
  available,
  now,
  reportDiff,
  textsOf,
  type Progress,
} from './status.testing.ts';

for (const family of families) {
  describe(`a ${family.placement.kind} on all clusters`, () => {
    const statusOf = (changes: Partial<StatusState> = {}) =>
      placementStatus(aState(family, ['sea', 'sky'], changes), now);
    const conditionsOf = (changes: Partial<StatusState> = {}) => textsOf(statusOf(changes).conditions);

    const progress = (type: keyof Progress, status: Condition['status']): Progress => {
      const passed = Object.entries(available).slice(0, ['DiffReported'].includes(type) ? 3 : undefined);
      return { ...Object.fromEntries(passed), [type]: status };
    };
    const rows: readonly (readonly [keyof Progress, Condition['status'], string])[] = [
      [
        'RolloutStarted',
        'Unknown',
        'RolloutStartedUnknown: There are still 2 cluster(s) in the process of deciding whether to roll out the latest resources or not',
      ],
      [
        'RolloutStarted',
        'False',
        'RolloutNotStartedYet: The rollout is being blocked by the rollout strategy in 2 cluster(s)',
      ],
      [
        'Overridden',
        'Unknown',
        'OverriddenPending: There are still 2 cluster(s) in the process of overriding the selected resources if there is any override defined',
      ],
      ['Overridden', 'False', 'OverriddenFailed: Failed to override resources in 2 cluster(s)'],
      [
        'WorkSynchronized',
        'Unknown',
        'WorkSynchronizedUnknown: There are still 2 cluster(s) in the process of creating or updating the work object(s) in the hub cluster',
      ],
      [
        'WorkSynchronized',
        'False',
        'WorkNotSynchronizedYet: There are 2 cluster(s) which have not finished creating or updating work(s) yet',
      ],
      [
        'Applied',
        'Unknown',
        'ApplyPending: There are still 2 cluster(s) in the process of applying the resources on the member cluster',
      ],
      [
        'Applied',
        'False',
        'ApplyFailed: Failed to apply resources to 2 cluster(s), please check the `failedPlacements` status',
      ],
      [
        'Available',
        'Unknown',
        'ResourceAvailableUnknown: There are still 2 cluster(s) in the process of checking the availability of the selected resources',
      ],
      [
        'Available',
        'False',
        'ResourceNotAvailableYet: The selected resources in 2 cluster(s) are still not available yet',
      ],
      [
        'DiffReported',
        'Unknown',
        'DiffReportingPending: There are still 2 cluster(s) in the process of checking for configuration differences',
      ],
      [
        'DiffReported',
        'False',
        'DiffReportingIncompleteOrFailed: Diff reporting in 2 clusters is still in progress or has failed',
      ],
      ['DiffReported', 'True', 'DiffReportingCompleted: Diff reporting in 2 cluster(s) has been completed'],
    ];
    for (const [type, status, text] of rows) {
      test(`${type} is ${status} if it is on two of three clusters`, () => {
        const rest = status === 'Unknown' ? 'False' : 'True';
        const statuses: readonly Condition['status'][] = status === 'True' ? [status, status] : [rest, status, status];
        const clusters = ['sea', 'sky', 'sun'].slice(0, statuses.length);
        const { conditions } = placementStatus(
          aState(family, clusters, {
            placement: aPlacement(family, type === 'DiffReported' ? reportDiff : {}),
            bindings: clusters.map((cluster, at) => aBinding(family, cluster, progress(type, statuses[at] ?? 'True'))),
          }),
          now,
        );
        assert.equal(textsOf(conditions).at(-1), `${type}=${status} ${text}`);
      });
    }

    test('Overridden counts the clusters if one of them has an override', () => {
      const bindings = [
        aBinding(family, 'sea', available),
        aBinding(family, 'sky', available, { spec: { clusterResourceOverrideSnapshots: ['cro-1'] } }),
      ];
      assert.equal(
        conditionsOf({ bindings })[2],
        'Overridden=True OverriddenSucceeded: The selected resources are successfully overridden in 2 cluster(s)',
      );
    });

    test('conditions of a step that is not reached any more go', () => {
      const placement = aPlacement(family, {}, statusOf());
      const bindings = [aBinding(family, 'sea', { RolloutStarted: 'True', Overridden: 'False' })];
      assert.deepEqual(
        conditionsOf({ placement, bindings, policySnapshot: aPolicySnapshot(family, [aDecision('sea')]) }).slice(1),
        [
          'RolloutStarted=True RolloutStarted: All 1 cluster(s) start rolling out the latest resource',
          'Overridden=False OverriddenFailed: Failed to override resources in 1 cluster(s)',
        ],
      );
    });

    test('clusters that were not found do not count', () => {
      const decisions = [aDecision('sea'), aDecision('sky', false)];
      const placement = aPlacement(family, { policy: { placementType: 'PickN', numberOfClusters: 2 } });
      const policySnapshot = aPolicySnapshot(family, decisions, { conditions: [aScheduled('False')] });
      assert.equal(
        conditionsOf({ placement, policySnapshot }).at(-1),
        'Available=True ResourceAvailable: The selected resources in 1 cluster(s) are available now',
      );
    });
  });
}
