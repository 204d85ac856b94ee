import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type Binding, type PolicySnapshot } from '@flotilla/api';
import type { JsonObject } from '@flotilla/kube';
import type { Plan } from '@flotilla/runtime';
import { Scheduler } from '@flotilla/scheduler';
import type { StartingPlan } from '../family/started-rollouts.ts';
import { decideScheduling } from './decide.ts';
import { aBinding, aCluster, aPlacement, aPolicySnapshot, aState, now, writesIn } from './scheduling.testing.ts';
import type { SchedulingState } from './scheduling-state.ts';

const deletionTimestamp = '2026-01-01T11:59:00Z';
const workFinalizer = 'kubernetes-fleet.io/work-cleanup';

function decided(state: SchedulingState): StartingPlan {
  return decideScheduling(state, new Scheduler(), now);
}

function patchesIn({ steps }: Plan): JsonObject[] {
  return steps.flat().flatMap((write) => (write.verb === 'patch' ? [write.patch] : []));
}

function createdIn({ steps }: Plan): Binding[] {
  return steps.flat().flatMap((write) => (write.verb === 'create' ? [write.object as Binding] : []));
}

function statusIn({ steps }: Plan): PolicySnapshot['status'] {
  const write = steps.flat().find((one) => one.verb === 'update');
  return write?.verb === 'update' ? (write.object as PolicySnapshot).status : undefined;
}

for (const family of families) {
  const scope = family.scope === 'Namespaced' ? { namespace: 'west' } : {};
  const state = (changes: Partial<SchedulingState> = {}): SchedulingState => aState(family, changes);
  const binding = (...args: [string, Binding['spec']['state'], Binding['metadata']?]) => aBinding(family, ...args);

  describe(`a ${family.placement.kind}`, () => {
    test('gets its finalizer, then its bindings, then the status of its policy snapshot', () => {
      const placement = aPlacement(family, { finalizers: ['other'] });
      const plan = decided(state({ placement, clusters: [aCluster('sea'), aCluster('lake')] }));
      assert.deepEqual(writesIn(family, plan), [
        ['patch placement shop'],
        ['create binding shop-lake-HASH', 'create binding shop-sea-HASH'],
        ['update policy/status shop-1'],
      ]);
      assert.deepEqual(patchesIn(plan), [
        { metadata: { resourceVersion: '7', finalizers: ['other', 'kubernetes-fleet.io/scheduler-cleanup'] } },
      ]);
    });

    test('gets its first bindings bound, if the rollout may begin with them, and later ones unbound', () => {
      const placement = aPlacement(family);
      const overrides = { byCluster: 'none', unreferenced: new Set<string>() } as const;
      const firstRollout: SchedulingState['firstRollout'] = (bindings) => {
        const resources = { latest: 'shop-0-snapshot', overrides };
        return { family, placement, bindings, resources, isWithWorks: true };
      };
      const clusters = [aCluster('sea'), aCluster('lake')];
      const first = decided(state({ placement, clusters, firstRollout }));
      assert.deepEqual(
        createdIn(first).map(({ spec }) => [spec.targetCluster, spec.state, spec.resourceSnapshotName]),
        [
          ['lake', 'Bound', 'shop-0-snapshot'],
          ['sea', 'Bound', 'shop-0-snapshot'],
        ],
      );
      assert.deepEqual(
        first.started?.map(({ binding: one, condition }) => [one.spec.targetCluster, condition.observedGeneration]),
        [
          ['lake', 1],
          ['sea', 1],
        ],
      );
      const later = decided(state({ placement, clusters, firstRollout, bindings: [binding('sea', 'Bound')] }));
      assert.deepEqual(
        createdIn(later).map(({ spec }) => [spec.targetCluster, spec.state]),
        [['lake', 'Scheduled']],
      );
      assert.equal(later.started, undefined);
    });

    test('gets bindings with the labels, the finalizer and the spec that other stages expect', () => {
      const [created] = createdIn(decided(state({ clusters: [aCluster('sea')] })));
      assert.deepEqual(created, {
        apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
        kind: family.binding.kind,
        metadata: {
          ...scope,
          name: created?.metadata.name,
          labels: { 'kubernetes-fleet.io/parent-CRP': 'shop' },
          finalizers: ['kubernetes-fleet.io/scheduler-crb-cleanup'],
        },
        spec: {
          state: 'Scheduled',
          resourceSnapshotName: '',
          schedulingPolicySnapshotName: 'shop-1',
          targetCluster: 'sea',
          clusterDecision: {
            clusterName: 'sea',
            selected: true,
            clusterScore: { affinityScore: 0, priorityScore: 0 },
            reason:
              'Successfully scheduled resources for placement in "sea" (affinity score: 0, topology spread score: 0): picked by scheduling policy',
          },
        },
      });
    });

    test('has a status for the generation that the policy snapshot names', () => {
      const policySnapshot = aPolicySnapshot(
        family,
        { placementType: 'PickN', numberOfClusters: 1 },
        { annotations: { 'kubernetes-fleet.io/number-of-clusters': '2' }, generation: 4 },
      );
      const status = statusIn(decided(state({ policySnapshot, clusters: [aCluster('sea')] })));
      assert.equal(status?.observedCRPGeneration, 3);
      assert.deepEqual(
        status?.targetClusters?.map(({ clusterName, selected }) => [clusterName, selected]),
        [['sea', true]],
      );
      assert.deepEqual(status?.conditions, [
        {
          type: 'Scheduled',
          status: 'False',
          reason: 'SchedulingPolicyUnfulfilled',
          message:
            'could not find all clusters needed as specified by the scheduling policy, found 1 cluster(s) instead',
          observedGeneration: 4,
          lastTransitionTime: '2026-01-01T12:00:00Z',
        },
      ]);
    });

    test('that only has a new generation gets a status that differs in nothing else', () => {
      const before = state({ clusters: [aCluster('sea')], bindings: [binding('sea', 'Bound')] });
      const first = statusIn(decided(before));
      assert.ok(first && before.policySnapshot);
      const annotations = { 'kubernetes-fleet.io/CRP-generation': '4' };
      const policySnapshot = { ...aPolicySnapshot(family, undefined, { annotations }), status: first };
      const plan = decided({ ...before, policySnapshot });
      assert.deepEqual(writesIn(family, plan), [['update policy/status shop-1']]);
      assert.deepEqual(statusIn(plan), { ...first, observedCRPGeneration: 4 });
    });

    test('without a policy snapshot only releases bindings that are deleted', () => {
      const bindings = [binding('sea', 'Bound', { deletionTimestamp }), binding('lake', 'Bound')];
      const plan = decided(state({ policySnapshot: undefined, bindings, clusters: [aCluster('pond')] }));
      assert.deepEqual(writesIn(family, plan), [['patch binding shop-sea-0']]);
      assert.deepEqual(patchesIn(plan), [{ metadata: { resourceVersion: '9', finalizers: [workFinalizer] } }]);
    });

    test('unschedules bindings last, and keeps their other annotations', () => {
      const bindings = [binding('lake', 'Bound', { annotations: { mine: 'kept' } })];
      const plan = decided(state({ bindings, clusters: [aCluster('sea')] }));
      assert.deepEqual(writesIn(family, plan), [
        ['create binding shop-sea-HASH'],
        ['patch binding shop-lake-0'],
        ['update policy/status shop-1'],
      ]);
      assert.deepEqual(patchesIn(plan), [
        {
          metadata: { resourceVersion: '9', annotations: { 'kubernetes-fleet.io/previous-binding-state': 'Bound' } },
          spec: { state: 'Unscheduled' },
        },
      ]);
    });

    test('restores a binding of a cluster that is picked again', () => {
      const annotations = { 'kubernetes-fleet.io/previous-binding-state': 'Bound' };
      const bindings = [binding('sea', 'Unscheduled', { annotations })];
      const [patch] = patchesIn(decided(state({ bindings, clusters: [aCluster('sea')] })));
      assert.deepEqual(patch?.['metadata'], {
        resourceVersion: '9',
        annotations: { 'kubernetes-fleet.io/previous-binding-state': null },
      });
      assert.deepEqual(Object.entries(patch?.['spec'] ?? {})[0], ['state', 'Bound']);
    });

    test('picks an evicted cluster again while its former binding terminates, under another name', () => {
      const first = createdIn(decided(state({ clusters: [aCluster('sea')] })))[0]?.metadata.name ?? '';
      const evicted = binding('sea', 'Bound', { name: first, deletionTimestamp });
      const plan = decided(state({ bindings: [evicted], clusters: [aCluster('sea')] }));
      assert.deepEqual(writesIn(family, plan)[0], ['patch binding shop-sea-HASH', 'create binding shop-sea-HASH']);
      assert.notEqual(createdIn(plan)[0]?.metadata.name, first);
    });

    test('that is deleted loses its bindings, then its finalizer', () => {
      const placement = aPlacement(family, {
        deletionTimestamp,
        finalizers: ['kubernetes-fleet.io/scheduler-cleanup', 'other'],
      });
      const bindings = [
        binding('lake', 'Bound', { deletionTimestamp, finalizers: [workFinalizer] }),
        binding('pond', 'Bound', { deletionTimestamp }),
        binding('sea', 'Bound'),
      ];
      const plan = decided(state({ placement, bindings, clusters: [aCluster('sea')] }));
      assert.deepEqual(writesIn(family, plan), [
        ['patch binding shop-pond-0', 'patch binding shop-sea-0'],
        ['delete binding shop-sea-0'],
        ['patch placement shop'],
      ]);
      const released = { metadata: { resourceVersion: '9', finalizers: [workFinalizer] } };
      assert.deepEqual(patchesIn(plan), [
        released,
        released,
        { metadata: { resourceVersion: '7', finalizers: ['other'] } },
      ]);
    });

    test('that is deleted with the policy Abandon marks the bindings that it still wanted', () => {
      const strategy = { deleteStrategy: { propagationPolicy: 'Abandon' } };
      const placement = aPlacement(family, { deletionTimestamp }, strategy);
      const bindings = [
        binding('lake', 'Bound', { deletionTimestamp }),
        binding('pond', 'Unscheduled'),
        binding('sea', 'Bound'),
      ];
      const patches = patchesIn(decided(state({ placement, bindings })));
      const marked = patches.map((patch) => (patch['metadata'] as JsonObject)['annotations']);
      assert.deepEqual(marked, [
        undefined,
        undefined,
        { 'kubernetes-fleet.io/delete-propagation': 'Abandon' },
        undefined,
      ]);
    });

    test('that is gone leaves no binding behind that was never rolled out, and holds none', () => {
      const bindings = [
        binding('lake', 'Scheduled'),
        binding('pond', 'Bound', { deletionTimestamp }),
        binding('sea', 'Bound'),
      ];
      const plan = decided(state({ placement: undefined, policySnapshot: undefined, bindings }));
      assert.deepEqual(writesIn(family, plan), [
        ['patch binding shop-lake-0', 'patch binding shop-pond-0'],
        ['delete binding shop-lake-0'],
      ]);
    });
  });
}
