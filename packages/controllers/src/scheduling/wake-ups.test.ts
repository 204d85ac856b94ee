import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type BindingState, type PlacementPolicy, type PolicySnapshot } from '@flotilla/api';
import type { KubeObject, ObjectMeta } from '@flotilla/kube';
import type { Cache } from '@flotilla/runtime';
import { aBinding, aPlacement, aPolicySnapshot } from './scheduling.testing.ts';
import { placementItself, placementOfBinding, placementOfPolicy } from './wake-ups.ts';

const deletionTimestamp = '2026-01-01T11:59:00Z';

/** A cache with this placement, or with none. */
function cacheOf(placement: KubeObject | undefined): Cache {
  const fail = (): never => assert.fail('reads more than the placement');
  return {
    get: () => placement as never,
    list: fail,
    indexed: fail,
    indexedMetadata: fail,
    summaries: fail,
    keys: fail,
    count: fail,
  };
}

type Row = readonly [string, KubeObject | undefined, KubeObject | undefined, 'wakes' | 'is ignored'];

for (const family of families) {
  describe(`a change about a ${family.placement.kind}`, () => {
    const placement = (metadata: ObjectMeta = {}) => aPlacement(family, metadata);
    const unclaimed = placement({ finalizers: [] });
    const placements: readonly Row[] = [
      ['a placement without the finalizer', undefined, unclaimed, 'wakes'],
      ['one with it', undefined, placement(), 'is ignored'],
      ['one that loses it', placement(), unclaimed, 'wakes'],
      ['one that is deleted', placement(), placement({ deletionTimestamp }), 'wakes'],
      [
        'one that is deleted without the finalizer',
        unclaimed,
        placement({ deletionTimestamp, finalizers: [] }),
        'wakes',
      ],
      [
        'one that waits for the finalizers of others',
        placement({ deletionTimestamp, finalizers: ['other'] }),
        placement({ deletionTimestamp, finalizers: [] }),
        'is ignored',
      ],
      ['one that is gone', placement({ deletionTimestamp }), undefined, 'is ignored'],
    ];
    const noCache = cacheOf(undefined);
    for (const [title, old, now, expected] of placements) {
      test(`${title} ${expected}`, () =>
        assert.equal([...placementItself(now, old, noCache)].length === 1, expected === 'wakes'));
    }

    const policy = (metadata: ObjectMeta = {}, status?: 'True' | 'False'): PolicySnapshot => {
      const pickN: Partial<PlacementPolicy> = { placementType: 'PickN', numberOfClusters: 2 };
      const snapshot = aPolicySnapshot(family, pickN, metadata);
      const said = { reason: 'Said', message: '', lastTransitionTime: deletionTimestamp };
      const conditions = status && [{ type: 'Scheduled', status, observedGeneration: 1, ...said }];
      return { ...snapshot, ...(conditions && { status: { observedCRPGeneration: 1, conditions } }) };
    };
    const old = { labels: { 'kubernetes-fleet.io/is-latest-snapshot': 'false' } };
    const policies: readonly Row[] = [
      ['a new policy snapshot', undefined, policy(), 'wakes'],
      ['one that is not the latest', undefined, policy(old), 'is ignored'],
      ['one that becomes the latest', policy(old), policy(), 'wakes'],
      ['one that is no longer the latest', policy(), policy(old), 'is ignored'],
      [
        'another number of clusters',
        policy(),
        policy({ annotations: { 'kubernetes-fleet.io/number-of-clusters': '3' } }),
        'wakes',
      ],
      ['another generation', policy(), policy({ annotations: { 'kubernetes-fleet.io/CRP-generation': '4' } }), 'wakes'],
      ['a status with enough clusters', policy(), policy({}, 'True'), 'is ignored'],
      ['a first status with too few', policy(), policy({}, 'False'), 'is ignored'],
      // A cluster may have joined before this status was stored, when the placement did not seem to need it.
      ['a status with too few that had enough before', policy({}, 'True'), policy({}, 'False'), 'wakes'],
      ['a snapshot that is gone', policy(), undefined, 'is ignored'],
    ];
    for (const [title, before, now, expected] of policies) {
      test(`${title} ${expected}`, () =>
        assert.equal([...placementOfPolicy(now, before, noCache)].length === 1, expected === 'wakes'));
    }

    const binding = (state: BindingState, metadata: ObjectMeta = {}) => aBinding(family, 'sea', state, metadata);
    const bindings: readonly (readonly [...Row, KubeObject?])[] = [
      ['a new binding', undefined, binding('Scheduled'), 'is ignored', placement()],
      [
        'a new binding of a placement that is going',
        undefined,
        binding('Scheduled'),
        'wakes',
        placement({ deletionTimestamp }),
      ],
      ['a new binding of a placement that is gone', undefined, binding('Scheduled'), 'wakes'],
      ['one that is rolled out', binding('Scheduled'), binding('Bound'), 'is ignored', placement()],
      ['one that is deleted', binding('Bound'), binding('Bound', { deletionTimestamp }), 'wakes', placement()],
      [
        'one that is still being deleted',
        binding('Bound', { deletionTimestamp }),
        binding('Bound', { deletionTimestamp }),
        'is ignored',
        placement(),
      ],
      [
        'one that is gone after its deletion was seen',
        binding('Bound', { deletionTimestamp }),
        undefined,
        'is ignored',
        placement(),
      ],
      ['one that is gone without notice', binding('Bound'), undefined, 'wakes', placement()],
      ['one without the label', binding('Bound', { labels: {} }), undefined, 'is ignored', placement()],
    ];
    for (const [title, before, now, expected, owner] of bindings) {
      test(`${title} ${expected}`, () => {
        const keys = [...placementOfBinding(family)(now, before, cacheOf(owner))];
        assert.equal(keys.length === 1, expected === 'wakes');
      });
    }
  });
}
