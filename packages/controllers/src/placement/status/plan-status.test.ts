import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  families,
  type Binding,
  type DriftedPlacement,
  type PatchDetail,
  type Placement,
  type PlacementSpec,
} from '@flotilla/api';
import { withInvalidSelectors } from './invalid-selectors.ts';
import { placementStatus } from './placement-status.ts';
import { planStatus } from './plan-status.ts';
import type { StatusState } from './status-state.ts';
import { aBinding, aPlacement, aState, available, earlier, now, reportDiff, type Progress } from './status.testing.ts';

for (const family of families) {
  describe(`the plan for the status of a ${family.placement.kind}`, () => {
    const planFor = (state: StatusState) =>
      planStatus({ family, placement: state.placement, status: placementStatus(state, now) });
    const reasonsAfter = (before: Progress, after: Progress, spec: Partial<PlacementSpec> = {}) => {
      const stateWith = (progress: Progress, placement = aPlacement(family, spec)) =>
        aState(family, ['sea'], { placement, bindings: [aBinding(family, 'sea', progress)] });
      const stored = aPlacement(family, spec, placementStatus(stateWith(before), now));
      return planFor(stateWith(after, stored)).events.map(({ reason }) => reason);
    };

    test('writes only the fields that change, to the placement that was observed', () => {
      const stored = aPlacement(family, {}, placementStatus(aState(family), now));
      const bindings = [aBinding(family, 'sea', available), aBinding(family, 'sky', {})];
      const { steps } = planFor(aState(family, ['sea', 'sky'], { placement: stored, bindings }));
      const [[write] = []] = steps;
      assert.ok(write?.verb === 'patch');
      assert.deepEqual(write.key, { namespace: stored.metadata.namespace, name: 'web' });
      assert.deepEqual(write.patch['metadata'], { uid: 'uid-web' });
      assert.deepEqual(Object.keys(write.patch['status'] as object), ['placementStatuses', 'conditions']);
    });

    test('removes what is not there any more', () => {
      const stored = aPlacement(family, {}, placementStatus(aState(family), now));
      const { steps } = planFor(aState(family, [], { placement: stored, selected: [] }));
      const [[write] = []] = steps;
      assert.ok(write?.verb === 'patch');
      const { placementStatuses, selectedResources } = write.patch['status'] as Record<string, unknown>;
      assert.deepEqual([placementStatuses, selectedResources], [null, null]);
    });

    test('writes nothing if nothing changes', () => {
      const stored = aPlacement(family, {}, placementStatus(aState(family), now));
      const later = new Date(now.getTime() + 60_000);
      const status = placementStatus(aState(family, ['sea', 'sky'], { placement: stored }), later);
      assert.deepEqual(planStatus({ family, placement: stored, status }), { steps: [], events: [] });
    });

    test('has conditions in a fixed order, which alone is no reason to write', () => {
      const { conditions = [], ...status } = placementStatus(aState(family), now);
      const stored = aPlacement(family, {}, { ...status, conditions: conditions.toReversed() });
      const again = placementStatus(aState(family, ['sea', 'sky'], { placement: stored }), now);
      assert.deepEqual(again.conditions, conditions);
      assert.deepEqual(planStatus({ family, placement: stored, status: again }).steps, []);
    });

    test('records an event for each condition that becomes True', () => {
      assert.deepEqual(reasonsAfter({}, available), [
        'PlacementRolloutStarted',
        'PlacementOverriddenSucceeded',
        'PlacementWorkSynchronized',
        'PlacementApplied',
        'PlacementAvailable',
        'PlacementRolloutCompleted',
      ]);
      assert.deepEqual(reasonsAfter({ ...available, Available: 'False' }, available), [
        'PlacementAvailable',
        'PlacementRolloutCompleted',
      ]);
      assert.deepEqual(reasonsAfter(available, { ...available, Available: 'False' }), []);
    });

    test('records the end of a diff report as the end of the rollout', () => {
      const { Applied: _, Available: _1, ...synchronized } = available;
      assert.deepEqual(reasonsAfter(synchronized, { ...synchronized, DiffReported: 'True' }, reportDiff), [
        'PlacementRolloutCompleted',
      ]);
    });

    test('records conditions that are True of a new generation', () => {
      const status = placementStatus(aState(family, ['sea']), now);
      const stored = aPlacement(family, {}, status);
      stored.metadata.generation = 4;
      assert.equal(planFor(aState(family, ['sea'], { placement: stored })).events.length, 6);
    });

    describe('about drifts', () => {
      const drifted = (name: string, paths: readonly string[], kind = 'Deployment'): DriftedPlacement => ({
        version: 'v1',
        kind,
        namespace: 'team',
        name,
        observationTime: earlier,
        firstDriftedObservedTime: earlier,
        targetClusterObservedGeneration: 1,
        observedDrifts: paths.map((path): PatchDetail => ({ path, valueInMember: 'c2VjcmV0', valueInHub: 'aHVi' })),
      });
      const messages = (before: DriftedPlacement[], after: DriftedPlacement[]) => {
        const stateWith = (driftedPlacements: DriftedPlacement[], placement = aPlacement(family)) =>
          aState(family, ['sea'], {
            placement,
            bindings: [aBinding(family, 'sea', available, { status: { driftedPlacements } })],
          });
        const stored = aPlacement(family, {}, placementStatus(stateWith(before), now));
        return planFor(stateWith(after, stored)).events.map(({ type, reason, message }) => [type, reason, message]);
      };

      test('names new fields and their cluster, never their values', () => {
        assert.deepEqual(messages([], [drifted('db', ['/data/password'], 'Secret')]), [
          ['Warning', 'PlacementDriftDetected', 'Found drifted fields: Secret team/db /data/password on sea'],
        ]);
      });

      test('names the first five', () => {
        const paths = ['/a', '/b', '/c', '/d', '/e', '/f', '/g'];
        const [[, , message = ''] = []] = messages([drifted('web', ['/a'])], [drifted('web', paths)]);
        assert.equal(
          message,
          'Found drifted fields: Deployment team/web /b on sea, Deployment team/web /c on sea, Deployment team/web /d on sea, Deployment team/web /e on sea, Deployment team/web /f on sea and 1 more',
        );
      });

      test('says nothing if only the time of observation changed, or a drift is gone', () => {
        const again = { ...drifted('web', ['/a']), observationTime: '2026-01-01T12:30:00Z' };
        assert.deepEqual(messages([drifted('web', ['/a', '/b'])], [again]), []);
      });
    });

    test('records differences that were reported', () => {
      const diffedPlacements = [
        { version: 'v1', kind: 'Service', name: 'web', observationTime: earlier, firstDiffedObservedTime: earlier },
      ];
      const progress: Progress = { ...available, DiffReported: 'True' };
      const state = aState(family, ['sea'], {
        placement: aPlacement(family, reportDiff),
        bindings: [aBinding(family, 'sea', progress, { status: { diffedPlacements } })],
      });
      const [event] = planFor(state).events.filter(({ type }) => type === 'Warning');
      assert.deepEqual(
        [event?.reason, event?.message],
        ['PlacementDiffDetected', 'Found different fields: Service web on sea'],
      );
    });

    test('says once for each generation why statuses cannot come back to the originals', () => {
      const spec: Partial<PlacementSpec> = {
        strategy: {
          type: 'RollingUpdate',
          reportBackStrategy: { type: 'Mirror', destination: 'OriginalResource' },
        },
      };
      const warnings = (placement: Placement, bindings: readonly Binding[]) =>
        planFor(aState(family, ['sea'], { placement, bindings }))
          .events.filter(({ type }) => type === 'Warning')
          .map(({ reason, message }) => `${reason}: ${message}`);
      assert.deepEqual(warnings(aPlacement(family, spec), []), [
        'StatusBackReportRefused: the scheduling policy in use is of the PickAll type; cannot back-report status to original resources',
      ]);
      const status = placementStatus(aState(family, ['sea'], { bindings: [] }), now);
      assert.deepEqual(warnings(aPlacement(family, spec, status), [aBinding(family, 'sea', available)]), []);
    });

    test('changes only Scheduled if the selectors cannot be used', () => {
      const stored = aPlacement(family, {}, placementStatus(aState(family), now));
      const status = withInvalidSelectors(family, stored, 'x'.repeat(40_000), now);
      assert.deepEqual(
        { ...status, conditions: status.conditions?.slice(1) },
        {
          ...stored.status,
          conditions: stored.status?.conditions?.slice(1),
        },
      );
      const [scheduled] = status.conditions ?? [];
      assert.equal(`${scheduled?.status} ${scheduled?.reason}`, 'False InvalidResourceSelectors');
      assert.match(scheduled?.message ?? '', /^The resource selectors are invalid: x+…$/);
      assert.equal(scheduled?.message.length, 32_768);
    });
  });
}
