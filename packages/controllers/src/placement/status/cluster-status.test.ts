import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type ApplyStrategy, type PerClusterStatus, type PlacementSpec } from '@flotilla/api';
import { defaultApplyStrategy } from '../../family/placement-defaults.ts';
import { placementStatus } from './placement-status.ts';
import type { StatusState } from './status-state.ts';
import {
  aBinding,
  aPlacement,
  aScheduled,
  aState,
  available,
  dated,
  earlier,
  now,
  nowText,
  reportDiff,
  textsOf,
  type Progress,
} from './status.testing.ts';

const rolloutPending =
  'RolloutStarted=Unknown RolloutStartedUnknown: In the process of deciding whether to roll out some version of the resources or not';

for (const family of families) {
  describe(`a ${family.placement.kind} on a cluster`, () => {
    const clusterWith = (binding: StatusState['bindings'][number] | undefined, spec: Partial<PlacementSpec> = {}) =>
      placementStatus(
        aState(family, ['sea'], { bindings: binding ? [binding] : [], placement: aPlacement(family, spec) }),
        now,
      ).placementStatuses?.[0];
    const after = (cluster: PerClusterStatus | undefined) => textsOf(cluster?.conditions?.slice(1));

    test('is unknown while there is no binding of this policy', () => {
      for (const binding of [
        undefined,
        aBinding(family, 'sea', available, { spec: { schedulingPolicySnapshotName: 'web-0' } }),
        aBinding(family, 'sea', available, { spec: { targetCluster: '' } }),
        aBinding(family, 'sea', available, { metadata: { deletionTimestamp: earlier } }),
      ]) {
        const cluster = clusterWith(binding);
        assert.deepEqual(after(cluster), [rolloutPending]);
        assert.equal(cluster?.observedResourceIndex, undefined);
      }
    });

    test('prefers a binding that stays to one that goes', () => {
      const going = aBinding(family, 'sea', {}, { spec: { state: 'Unscheduled' } });
      const staying = aBinding(family, 'sea', available);
      for (const bindings of [
        [going, staying],
        [staying, going],
      ]) {
        const { placementStatuses: [cluster] = [] } = placementStatus(aState(family, ['sea'], { bindings }), now);
        assert.equal(cluster?.conditions?.length, 6);
      }
    });

    const old = { resourceSnapshotName: 'web-3-snapshot' };
    test('is blocked if the rollout does not let it have the latest resources', () => {
      const cluster = clusterWith(aBinding(family, 'sea', { RolloutStarted: 'False' }, { spec: old }));
      assert.deepEqual(after(cluster), [
        'RolloutStarted=False RolloutNotStartedYet: The rollout is being blocked by the rollout strategy',
      ]);
      assert.equal(cluster?.observedResourceIndex, '4');
    });

    test('is unknown if it has older resources and the rollout has not decided', () => {
      for (const binding of [
        aBinding(family, 'sea', available, { spec: old }),
        aBinding(family, 'sea', {}, { spec: old }),
        aBinding(family, 'sea', { RolloutStarted: 'False' }, { spec: old, observedGeneration: 4 }),
      ]) {
        assert.deepEqual(after(clusterWith(binding)), [rolloutPending]);
      }
    });

    test('is unknown until the rollout has given the binding the apply strategy of the placement', () => {
      const usual = defaultApplyStrategy;
      const spec: Partial<PlacementSpec> = {
        strategy: { type: 'RollingUpdate', applyStrategy: { ...usual, whenToTakeOver: 'Never' } },
      };
      const withStrategy = (applyStrategy: ApplyStrategy) =>
        aBinding(family, 'sea', available, { spec: { applyStrategy } });
      assert.deepEqual(after(clusterWith(withStrategy(usual), spec)), [rolloutPending]);
      const incomplete = { whenToTakeOver: 'Never' } as ApplyStrategy;
      assert.equal(after(clusterWith(withStrategy(incomplete), spec)).length, 5);
    });

    const pendingTexts: readonly (readonly [progress: Progress, text: string, spec?: Partial<PlacementSpec>])[] = [
      [{}, rolloutPending],
      [
        { RolloutStarted: 'True' },
        'Overridden=Unknown OverriddenPending: In the process of overriding the selected resources if there is any override defined',
      ],
      [
        { RolloutStarted: 'True', Overridden: 'True' },
        'WorkSynchronized=Unknown WorkSynchronizedUnknown: In the process of creating or updating the work object(s) in the hub cluster',
      ],
      [
        { RolloutStarted: 'True', Overridden: 'True', WorkSynchronized: 'True' },
        'Applied=Unknown ApplyPending: In the process of applying the resources on the member cluster',
      ],
      [
        { RolloutStarted: 'True', Overridden: 'True', WorkSynchronized: 'True', Applied: 'True' },
        'Available=Unknown ResourceAvailableUnknown: The availability of the selected resources is unknown yet ',
      ],
      [
        { RolloutStarted: 'True', Overridden: 'True', WorkSynchronized: 'True' },
        'DiffReported=Unknown DiffReportingPending: Diff reporting has just started; its status is not yet to be known',
        reportDiff,
      ],
    ];
    for (const [progress, text, spec] of pendingTexts) {
      const [type = ''] = text.split('=');
      test(`waits for ${type}`, () => {
        for (const stated of [progress, { ...progress, [type]: 'Unknown' as const }]) {
          assert.equal(after(clusterWith(aBinding(family, 'sea', stated), spec)).at(-1), text);
        }
        const outdated = aBinding(family, 'sea', { ...progress, [type]: 'True' });
        const { conditions = [] } = outdated.status ?? {};
        const last = conditions.at(-1);
        if (last) last.observedGeneration = 4;
        assert.equal(after(clusterWith(outdated, spec)).at(-1), text);
      });
    }

    test('ends with the first condition that is False', () => {
      const cluster = clusterWith(aBinding(family, 'sea', { ...available, Overridden: 'False' }));
      assert.deepEqual(after(cluster).slice(1), ['Overridden=False OverriddenIsFalse: Overridden is False on sea']);
    });

    const failedPlacements = [{ version: 'v1', kind: 'ConfigMap', name: 'a', condition: aScheduled('False') }];
    const driftedPlacements = [
      {
        version: 'v1',
        kind: 'ConfigMap',
        name: 'b',
        observationTime: earlier,
        firstDriftedObservedTime: earlier,
        targetClusterObservedGeneration: 1,
      },
    ];
    const diffedPlacements = [
      { version: 'v1', kind: 'ConfigMap', name: 'c', observationTime: earlier, firstDiffedObservedTime: earlier },
    ];
    const lists = { failedPlacements, driftedPlacements, diffedPlacements };
    const listRows: readonly (readonly [title: string, Progress, Partial<typeof lists>, Partial<PlacementSpec>?])[] = [
      ['nothing before Applied', { RolloutStarted: 'True', Overridden: 'True', WorkSynchronized: 'False' }, {}],
      [
        'nothing while Applied is unknown',
        { RolloutStarted: 'True', Overridden: 'True', WorkSynchronized: 'True' },
        {},
      ],
      ['all lists if Applied is False', { ...available, Applied: 'False' }, lists],
      ['drifts while Available is unknown', { ...available, Available: 'Unknown' }, { driftedPlacements }],
      ['all lists if Available is False', { ...available, Available: 'False' }, lists],
      ['drifts of available resources', available, { driftedPlacements }],
      ['differences that were reported', { ...available, DiffReported: 'True' }, { diffedPlacements }, reportDiff],
      ['nothing if the report failed', { ...available, DiffReported: 'False' }, {}, reportDiff],
    ];
    for (const [title, progress, expected, spec] of listRows) {
      test(`has ${title}`, () => {
        const cluster = clusterWith(aBinding(family, 'sea', progress, { status: lists }), spec);
        const { clusterName: _, conditions: _1, observedResourceIndex: _2, ...details } = cluster ?? {};
        assert.deepEqual(details, expected);
      });
    }

    test('has the overrides once the rollout has started', () => {
      const overrides = {
        resourceOverrideSnapshots: [{ namespace: 'team', name: 'ro-1' }],
        clusterResourceOverrideSnapshots: ['cro-2'],
      };
      const started = clusterWith(aBinding(family, 'sea', available, { spec: overrides }));
      assert.deepEqual(started?.applicableResourceOverrides, overrides.resourceOverrideSnapshots);
      assert.deepEqual(started?.applicableClusterResourceOverrides, overrides.clusterResourceOverrideSnapshots);
      const blocked = clusterWith(aBinding(family, 'sea', { RolloutStarted: 'False' }, { spec: overrides }));
      assert.equal(blocked?.applicableClusterResourceOverrides, undefined);
    });

    test('keeps transition times while the status of a condition is the same', () => {
      const before = dated(placementStatus(aState(family, ['sea']), now));
      const placement = aPlacement(family, {}, before);
      const binding = aBinding(family, 'sea', { ...available, Available: 'False' });
      const { placementStatuses: [cluster] = [], conditions } = placementStatus(
        aState(family, ['sea'], { placement, bindings: [binding] }),
        now,
      );
      for (const list of [cluster?.conditions, conditions]) {
        assert.deepEqual(
          list?.map(({ lastTransitionTime }) => lastTransitionTime),
          [earlier, earlier, earlier, earlier, earlier, nowText],
        );
      }
    });
  });
}
