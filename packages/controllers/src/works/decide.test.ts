import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Binding, type BindingStatus } from '@flotilla/api';
import { apiErrors } from '@flotilla/kube';
import { decideWorks, type WorksPlan } from './decide.ts';
import {
  aBinding,
  aCluster,
  aCondition,
  aSnapshot,
  aState,
  aWork,
  baseIn,
  conditionTexts,
  isClusterScoped,
  now,
  reporting,
  statusIn,
  stepsOf,
  earlier,
} from './works.testing.ts';
import type { WorksState } from './works-state.ts';

function decide(state: WorksState, at = now): WorksPlan {
  return decideWorks(state, isClusterScoped, at);
}

const available = reporting(['Applied=True AllManifestsApplied', 'Available=True AllManifestsAvailable']);

for (const family of families) {
  const { kind } = family.binding;
  const work = `${baseIn(family)}-work`;
  const inState = (state: Binding['spec']['state'], status?: BindingStatus) =>
    aState(family, { binding: aBinding(family, { state }, {}, status), works: [] });

  describe(`a ${kind}`, () => {
    test('gets Works when it is Bound or Unscheduled', () => {
      assert.deepEqual(stepsOf(decide(inState('Scheduled'))), []);
      assert.deepEqual(stepsOf(decide(inState('Bound'))), [[`create Work ${work}`]]);
      assert.deepEqual(stepsOf(decide(inState('Unscheduled', {}))), [[`create Work ${work}`]]);
    });

    test('gets Works only after the rollout controller has decided about its generation', () => {
      const cases = [
        { status: 'True', observedGeneration: 2, writes: 0 },
        { status: 'Unknown', observedGeneration: 3, writes: 0 },
        { status: 'False', observedGeneration: 3, writes: 1 },
      ] as const;
      for (const { status, observedGeneration, writes } of cases) {
        const conditions = [aCondition('RolloutStarted', status, { observedGeneration })];
        assert.equal(decide(inState('Bound', { conditions })).steps.flat().length, writes);
      }
    });

    test('gets the finalizer before its first Work', () => {
      const binding = aBinding(family, {}, { finalizers: ['other'] });
      const plan = decide(aState(family, { binding, works: [] }));
      assert.deepEqual(stepsOf(plan), [[`patch ${kind} web-sea-1234`]]);
      const [write] = plan.steps.flat();
      assert.ok(write?.verb === 'patch');
      assert.deepEqual(write.patch, {
        metadata: { resourceVersion: '7', finalizers: ['other', 'kubernetes-fleet.io/work-cleanup'] },
      });
    });

    test('gets nothing for a member that does not exist or leaves, but says that its rollout has started', () => {
      const cluster = aCluster({ deletionTimestamp: earlier });
      for (const changes of [{ cluster: undefined }, { cluster }]) {
        const binding = aBinding(family, {}, { finalizers: [] });
        const plan = decide(aState(family, { binding, works: [], ...changes }));
        assert.deepEqual(plan.steps, [
          [{ verb: 'update', kind: family.binding, object: binding, subresource: 'status' }],
        ]);
      }
    });

    test('waits for its report while other members report', () => {
      const plan = decide(aState(family, { mayWaitMs: 20_000 }));
      assert.deepEqual([stepsOf(plan), plan.requeueAfterMs, plan.awaitsReports], [[], 20_000, true]);
      const written = decide(aState(family, { mayWaitMs: 20_000, works: [] }));
      assert.deepEqual([written.requeueAfterMs, written.awaitsReports], [20_000, true]);
      const reported = decide(aState(family, { mayWaitMs: 20_000, works: [aWork(family, {}, available)] }));
      assert.equal(conditionTexts(statusIn(reported)).length, 4);
    });

    test('gets no status with its Works: the agent may report before it is written', () => {
      const plan = decide(aState(family, { works: [] }));
      assert.deepEqual(stepsOf(plan), [[`create Work ${work}`]]);
      assert.equal(plan.requeueAfterMs, 3000);
    });

    test('says that resources are being applied when no Work has reported', () => {
      assert.deepEqual(conditionTexts(statusIn(decide(aState(family)))), [
        'Overridden=True NoOverrideSpecified: No override rules are configured for the selected resources',
        'WorkSynchronized=True AllWorkSynced: All of the works are synchronized to the latest',
        'Applied=False ApplyInProgress: Resources are being applied',
      ]);
    });

    test('keeps RolloutStarted, conditions of others and transition times', () => {
      const conditions = [
        aCondition('RolloutStarted', 'True', { observedGeneration: 3 }),
        aCondition('Applied', 'True', { observedGeneration: 2 }),
        aCondition('Overridden', 'False', { observedGeneration: 2 }),
        aCondition('DiffReported', 'True'),
        aCondition('Theirs', 'True'),
      ];
      const binding = aBinding(family, {}, {}, { conditions });
      const status = statusIn(decide(aState(family, { binding, works: [aWork(family, {}, available)] })));
      assert.deepEqual(
        status?.conditions?.map((one) => `${one.type} ${one.observedGeneration ?? 0} ${one.lastTransitionTime}`),
        [
          `RolloutStarted 3 ${earlier}`,
          `Applied 3 ${earlier}`,
          'Overridden 3 2026-01-01T12:00:00Z',
          `Theirs 0 ${earlier}`,
          'WorkSynchronized 3 2026-01-01T12:00:00Z',
          'Available 3 2026-01-01T12:00:00Z',
        ],
      );
    });

    test('dates the availability of resources that cannot be tracked from when they were applied', () => {
      const untrackable = reporting(['Applied=True', 'Available=True WorkNotTrackable']);
      const dateWith = (observedGeneration: number): string | undefined => {
        const known = { observedGeneration, reason: 'NotAllWorkAreAvailabilityTrackable' };
        const conditions = [
          aCondition('RolloutStarted', 'True', { observedGeneration: 3 }),
          aCondition('Available', 'True', known),
        ];
        const binding = aBinding(family, {}, {}, { conditions });
        const status = statusIn(decide(aState(family, { binding, works: [aWork(family, {}, untrackable)] })));
        return status?.conditions?.find(({ type }) => type === 'Available')?.lastTransitionTime;
      };
      assert.equal(dateWith(3), earlier);
      assert.equal(dateWith(2), '2026-01-01T12:00:00Z');
    });

    test('writes the same status again', () => {
      const state = aState(family, { works: [aWork(family, {}, available)] });
      const status = statusIn(decide(state));
      assert.ok(status);
      const later = new Date('2026-01-02T00:00:00Z');
      assert.deepEqual(statusIn(decide({ ...state, binding: aBinding(family, {}, {}, status) }, later)), status);
    });

    test('says which step failed, and nothing of the next ones', () => {
      assert.deepEqual(conditionTexts(statusIn(decide(aState(family, { works: [], snapshots: [] })))), [
        'Overridden=False OverriddenFailed: Failed to apply the override rules on the resources: the master resource snapshot is not found',
      ]);
      const rivals = [{ work: aWork(family), binding: { name: 'old' } }];
      assert.deepEqual(conditionTexts(statusIn(decide(aState(family, { works: [], rivals })))), [
        'Overridden=True NoOverrideSpecified: No override rules are configured for the selected resources',
        `WorkSynchronized=False SyncWorkFailed: Failed to synchronize the work to the latest: the work ${work} in ` +
          'namespace fleet-member-sea belongs to the binding old of the same placement',
      ]);
    });

    test('says that the server refuses a Work', () => {
      const refused = decide(aState(family, { works: [] })).refused?.(apiErrors.requestEntityTooLarge('too large'));
      assert.match(
        conditionTexts(statusIn(refused ?? { steps: [] }))[1] ?? '',
        /^WorkSynchronized=False SyncWorkFailed: Failed to synchronize the work to the latest: .*too large/,
      );
    });

    test('is silent about a snapshot or a deletion that is just late', () => {
      const deletionTimestamp = '2026-01-01T11:59:57Z';
      const lateSnapshot = aSnapshot(family, [], { count: 2, metadata: { creationTimestamp: deletionTimestamp } });
      // The metadata replaces all others.
      lateSnapshot.metadata = { ...aSnapshot(family, [], { count: 2 }).metadata, creationTimestamp: deletionTimestamp };
      for (const state of [
        aState(family, { works: [aWork(family, { deletionTimestamp })] }),
        aState(family, { snapshots: [lateSnapshot] }),
      ]) {
        const early = decide(state);
        assert.deepEqual([stepsOf(early), early.requeueAfterMs], [[], 2000]);
        assert.deepEqual(stepsOf(decide(state, new Date(now.getTime() + 2000))), [
          [`update ${kind}/status web-sea-1234`],
        ]);
      }
    });
  });
}
