import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bindingConditions,
  clusterFamily,
  type Binding,
  type Condition,
  type DisruptionBudget,
  type Eviction,
  type PlacementPolicy,
} from '@flotilla/api';
import { applyMergePatch, formatTime } from '@flotilla/kube';
import type { Plan } from '@flotilla/runtime';
import { seededRandom } from '@flotilla/testkit';
import { aBinding, aCondition, aPlacement, failed, now, pickN, ready, started } from '../rollout/rollout.testing.ts';
import { decideEvictions, type EvictionState } from './decide.ts';

const pickAll: PlacementPolicy = { placementType: 'PickAll' };

function anEviction(cluster: string, conditions: Condition[] = [], name = `of-${cluster}`): Eviction {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'ClusterResourcePlacementEviction',
    metadata: { name, uid: name, generation: 1, resourceVersion: '1' },
    spec: { placementName: 'p', clusterName: cluster },
    status: { conditions },
  };
}

function aBudget(spec: DisruptionBudget['spec']): DisruptionBudget {
  return { apiVersion: 'v1', kind: 'ClusterResourcePlacementDisruptionBudget', metadata: { name: 'p' }, spec };
}

function bindingTo(cluster: string, conditions = ready): Binding {
  return aBinding(clusterFamily, cluster, { conditions });
}

function stateOf(changes: Partial<EvictionState> & { readonly policy?: PlacementPolicy } = {}): EvictionState {
  const { policy = pickN(3), ...rest } = changes;
  return {
    family: clusterFamily,
    placement: aPlacement(clusterFamily, { policy }),
    bindings: ['a', 'b', 'c'].map((name) => bindingTo(name)),
    budget: undefined,
    evictions: [anEviction('a')],
    ttlMs: 0,
    ...rest,
  };
}

/** `Executed True: because`, the last condition that each eviction gets; and the clusters that lose the placement. */
function outcomeOf({ steps }: Plan): string[] {
  const last = new Map<string, string>();
  for (const write of steps.flat()) {
    if (write.verb === 'delete') last.set(`binding ${write.key.name}`, `delete ${write.key.name}`);
    if (write.verb !== 'patch') continue;
    const { conditions } = write.patch['status'] as { conditions: Condition[] };
    const { type, status, message } = conditions.at(-1) as Condition;
    last.set(write.key.name, `${type} ${status}: ${message}`);
  }
  return [...last.values()].sort();
}

describe('an eviction', () => {
  const gone = aPlacement(clusterFamily, { policy: pickAll });
  gone.metadata.deletionTimestamp = formatTime(now);
  const applying = [started, aCondition(bindingConditions.applied, 'False', { reason: 'ApplyInProgress' })];
  const budgetText = 'by specified ClusterResourcePlacementDisruptionBudget, availablePlacements:';
  const misconfigured =
    'Executed False: Eviction is blocked by misconfigured ClusterResourcePlacementDisruptionBudget, either MaxUnavailable is specified or MinAvailable is specified as a percentage for PickAll ClusterResourcePlacement';
  const cases: [string, EvictionState, readonly string[]][] = [
    [
      'is invalid without its placement',
      stateOf({ placement: undefined }),
      ['Valid False: Failed to find ClusterResourcePlacement targeted by eviction'],
    ],
    [
      'is invalid if the placement is being deleted',
      stateOf({ placement: gone }),
      ['Valid False: Found deleting ClusterResourcePlacement targeted by eviction'],
    ],
    [
      'is invalid if the clusters are named',
      stateOf({ policy: { placementType: 'PickFixed', clusterNames: ['a'] } }),
      ['Valid False: Found ClusterResourcePlacement with PickFixed placement type targeted by eviction'],
    ],
    [
      'is invalid if the cluster does not have the placement',
      stateOf({ evictions: [anEviction('z')] }),
      ['Valid False: Failed to find scheduler decision for placement in cluster targeted by eviction'],
    ],
    [
      'is invalid if there are two decisions',
      stateOf({ bindings: [bindingTo('a'), aBinding(clusterFamily, 'again', { cluster: 'a' })] }),
      ['Valid False: Found more than one scheduler decision for placement in cluster targeted by eviction'],
    ],
    [
      'is executed if the placement leaves the cluster already',
      stateOf({ bindings: [aBinding(clusterFamily, 'a', { isDeleting: true })] }),
      [
        'Executed True: Eviction is allowed, resources propagated by placement is currently being removed from cluster targeted by eviction',
      ],
    ],
    [
      'is blocked before the resources are there',
      stateOf({ bindings: [aBinding(clusterFamily, 'a', { state: 'Scheduled' })] }),
      ['Executed False: Eviction is blocked, placement has not propagated resources to target cluster yet'],
    ],
    [
      'is executed if the placement has failed there, whatever the budget',
      stateOf({ bindings: [bindingTo('a', failed)], budget: aBudget({ minAvailable: 3 }) }),
      ['Executed True: Eviction is allowed, placement has failed', 'delete a'],
    ],
    // KubeFleet counts a cluster that still applies as failed.
    [
      'is blocked by the budget if the cluster still applies',
      stateOf({
        bindings: [bindingTo('a', applying), bindingTo('b'), bindingTo('c')],
        budget: aBudget({ minAvailable: 2 }),
      }),
      [`Executed False: Eviction is blocked ${budgetText} 2, totalPlacements: 3`],
    ],
    [
      'is executed without a budget',
      stateOf(),
      ['Executed True: Eviction is allowed, no ClusterResourcePlacementDisruptionBudget specified', 'delete a'],
    ],
    [
      'is executed within maxUnavailable',
      stateOf({ budget: aBudget({ maxUnavailable: '30%' }) }),
      [`Executed True: Eviction is allowed ${budgetText} 3, totalPlacements: 3`, 'delete a'],
    ],
    [
      'is blocked beyond maxUnavailable',
      stateOf({
        bindings: [bindingTo('a'), bindingTo('b', applying), bindingTo('c')],
        budget: aBudget({ maxUnavailable: 1 }),
      }),
      [`Executed False: Eviction is blocked ${budgetText} 2, totalPlacements: 3`],
    ],
    [
      'is blocked at minAvailable',
      stateOf({ budget: aBudget({ minAvailable: '100%' }) }),
      [`Executed False: Eviction is blocked ${budgetText} 3, totalPlacements: 3`],
    ],
    // docs/seed-promises.md: a budget of 0 never blocks.
    [
      'is executed with minAvailable 0, even if nothing is available',
      stateOf({ bindings: [bindingTo('a', applying)], budget: aBudget({ minAvailable: 0 }) }),
      [`Executed True: Eviction is allowed ${budgetText} 0, totalPlacements: 1`, 'delete a'],
    ],
    [
      'is blocked by a budget that says nothing',
      stateOf({ budget: aBudget({}) }),
      [`Executed False: Eviction is blocked ${budgetText} 3, totalPlacements: 3`],
    ],
    [
      'is blocked by a budget that PickAll cannot have',
      stateOf({ policy: pickAll, budget: aBudget({ maxUnavailable: 1 }) }),
      [misconfigured],
    ],
    [
      'is blocked by a share of PickAll',
      stateOf({ policy: pickAll, budget: aBudget({ minAvailable: '50%' }) }),
      [misconfigured],
    ],
    [
      'is executed if PickAll keeps enough',
      stateOf({ policy: pickAll, budget: aBudget({ minAvailable: 2 }) }),
      [`Executed True: Eviction is allowed ${budgetText} 3, totalPlacements: 3`, 'delete a'],
    ],
  ];
  for (const [title, state, outcome] of cases) {
    test(title, () => assert.deepEqual(outcomeOf(decideEvictions(state, now)), outcome));
  }

  test('is decided once', () => {
    const decided = [
      { ...aCondition(bindingConditions.applied, 'False', { generation: 1 }), type: 'Valid' },
      { ...aCondition(bindingConditions.applied, 'False', { generation: 0 }), type: 'Executed' },
    ];
    for (const condition of decided) {
      assert.deepEqual(outcomeOf(decideEvictions(stateOf({ evictions: [anEviction('a', [condition])] }), now)), []);
    }
  });

  test('says that it was executed if the hub was killed after the binding was deleted', () => {
    const valid = { ...aCondition(bindingConditions.applied, 'True', { generation: 1 }), type: 'Valid' };
    const state = stateOf({ bindings: [], evictions: [anEviction('a', [valid])] });
    assert.match(outcomeOf(decideEvictions(state, now))[0] ?? '', /^Executed True: Eviction is allowed, resources/);
  });

  test('is deleted when its time is over, and not before', () => {
    const executed = { ...aCondition(bindingConditions.applied, 'True', { agoMs: 1000 }), type: 'Executed' };
    const state = stateOf({ evictions: [anEviction('a', [executed])], ttlMs: 5000 });
    assert.equal(decideEvictions(state, now).requeueAfterMs, 4000);
    assert.deepEqual(outcomeOf(decideEvictions(state, new Date(now.getTime() + 4000))), ['delete of-a']);
    assert.deepEqual(decideEvictions({ ...state, ttlMs: 0 }, now), { steps: [[], [], []] });
  });
});

describe('evictions at the same time', () => {
  for (let seed = 1; seed <= 40; seed++) {
    test(`never exceed the budget (seed ${seed})`, () => {
      const random = seededRandom(seed);
      const below = (limit: number): number => Math.floor(random() * limit);
      const size = 1 + below(8);
      const names = Array.from({ length: size }, (_, index) => `c${index}`);
      const limit = below(size + 1);
      const isMost = below(2) === 0;
      const budget = aBudget(isMost ? { maxUnavailable: limit } : { minAvailable: 1 + limit });
      let bindings = names.map((name) => bindingTo(name, below(4) === 0 ? [started] : ready));
      const isReady = (binding: Binding): boolean =>
        binding.metadata.deletionTimestamp === undefined && binding.status?.conditions?.length === ready.length;
      const before = bindings.filter(isReady).length;
      let evictions = names.map((name) => anEviction(name));
      for (let pass = 0; pass < 3; pass++) {
        const plan = decideEvictions(stateOf({ policy: pickN(size), bindings, budget, evictions }), now);
        for (const write of plan.steps.flat()) {
          if (write.verb === 'delete') {
            bindings = bindings.map((binding) =>
              binding.metadata.name === write.key.name
                ? { ...binding, metadata: { ...binding.metadata, deletionTimestamp: formatTime(now) } }
                : binding,
            );
          } else if (write.verb === 'patch') {
            evictions = evictions.map((eviction) =>
              eviction.metadata.name === write.key.name
                ? (applyMergePatch(eviction, write.patch) as Eviction)
                : eviction,
            );
          }
        }
        evictions = [...evictions, ...names.map((name) => anEviction(name, [], `again-${pass}-${name}`))];
      }
      const after = bindings.filter(isReady).length;
      if (isMost) assert.ok(size - after <= Math.max(limit, size - before), `${size - after} of ${limit} unavailable`);
      else assert.ok(after >= Math.min(before, 1 + limit), `${after} of ${1 + limit} available`);
    });
  }
});
