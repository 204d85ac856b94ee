import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterFamily, type Binding } from '@flotilla/api';
import type { Cache } from '@flotilla/runtime';
import { ManualClock } from '@flotilla/testkit';
import { bindingIndexes, isReported, StatusDelay } from './status-delay.ts';

const key = { name: 'web' };

/** Knows only how many bindings there are, and how many of them have not settled. */
function counting(clusters: number, unsettled: number): Cache {
  const counts: Readonly<Record<string, number>> = { placement: clusters, 'unsettled-of-placement': unsettled };
  return { count: (_kind: unknown, index: string) => counts[index] ?? 0 } as unknown as Cache;
}

describe('the status of a placement waits', () => {
  const delays: readonly [string, number, number, number][] = [
    ['a moment if all clusters have settled', 100, 0, 5],
    ['longer if one has not settled', 10, 1, 120],
    ['a second for any number of clusters', 100_000, 1, 1020],
    ['for the scheduler while it has no clusters', 0, 0, 50],
  ];
  for (const [claim, clusters, unsettled, expected] of delays) {
    test(claim, () => {
      const { ofPolicySnapshot } = new StatusDelay(clusterFamily.binding, new ManualClock());
      assert.equal(ofPolicySnapshot(key, counting(clusters, unsettled)), expected);
    });
  }

  test('for a pause between two statuses if settled clusters report again', async () => {
    const clock = new ManualClock();
    const { ofBinding } = new StatusDelay(clusterFamily.binding, clock);
    const settled = counting(100, 0);
    assert.equal(ofBinding(key, settled), 5);
    await clock.advance(2);
    assert.equal(ofBinding(key, settled), 3);
    assert.equal(ofBinding({ name: 'other' }, settled), 5);
    await clock.advance(3);
    assert.equal(ofBinding(key, settled), 200);
    await clock.advance(1000);
    assert.equal(ofBinding(key, settled), 5);
  });

  test('longer while many bindings change, unless all of its own have settled', async () => {
    const clock = new ManualClock();
    const delay = new StatusDelay(clusterFamily.binding, clock);
    for (let change = 0; change < 5000; change++) delay.ofBinding(key, counting(100, 100));
    assert.equal(delay.ofPolicySnapshot(key, counting(100, 1)), 21_020);
    assert.equal(delay.ofPolicySnapshot(key, counting(100, 0)), 5);
    assert.equal(delay.ofResourceSnapshot(key, counting(0, 0)), 50);
    await clock.advance(60_000);
    assert.ok(delay.ofPolicySnapshot(key, counting(100, 1)) < 1021);
  });
});

describe('a binding', () => {
  const isUnsettled = (status: object | undefined, spec: object = {}): boolean => {
    const metadata = { name: 'b', generation: 2, labels: { 'kubernetes-fleet.io/parent-CRP': 'web' } };
    const binding = { apiVersion: '', kind: '', metadata, spec, status } as unknown as Binding;
    return [...(bindingIndexes['unsettled-of-placement']?.(binding) ?? [])].length > 0;
  };
  const condition = (type: string, status: string, reason = 'Because', observedGeneration = 2): object => ({
    conditions: [{ type, status, reason, observedGeneration }],
  });

  const cases: readonly [string, boolean, object | undefined, object?][] = [
    ['without a status', true, undefined],
    ['that is available', false, condition('Available', 'True')],
    ['that was available before it changed', true, condition('Available', 'True', 'Because', 1)],
    ['that waits to be available', true, condition('Available', 'Unknown')],
    ['that failed', false, condition('Applied', 'False')],
    ['that is being applied', true, condition('Applied', 'False', 'ApplyInProgress')],
    ['that only compares', true, condition('Available', 'True'), { applyStrategy: { type: 'ReportDiff' } }],
    ['that was compared', false, condition('DiffReported', 'True'), { applyStrategy: { type: 'ReportDiff' } }],
  ];
  for (const [what, expected, status, spec] of cases) {
    test(`${what} ${expected ? 'has not settled' : 'has settled'}`, () =>
      assert.equal(isUnsettled(status, spec), expected));
  }

  test('is reported if its generation or its status changes, not if only a finalizer does', () => {
    const object = { apiVersion: '', kind: '', metadata: { name: 'b', generation: 1 }, status: { conditions: [] } };
    const changed = (change: object): boolean => isReported({ ...object, ...change }, object);
    assert.equal(changed({ metadata: { ...object.metadata, finalizers: ['x'], resourceVersion: '2' } }), false);
    assert.equal(changed({ metadata: { ...object.metadata, generation: 2 } }), true);
    assert.equal(changed({ metadata: { ...object.metadata, deletionTimestamp: 'now' } }), true);
    assert.equal(changed({ status: { conditions: [{}] } }), true);
    assert.equal(isReported(object, undefined), true);
    assert.equal(isReported(undefined, object), true);
  });
});
