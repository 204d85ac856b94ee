import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conditionOf, isTrueNow, withCondition, withoutCondition } from './conditions.ts';
import type { Condition } from './parts/condition.ts';

const joined: Condition = {
  type: 'Joined',
  status: 'True',
  observedGeneration: 2,
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'MemberClusterJoined',
  message: '',
};
const healthy: Condition = { ...joined, type: 'Healthy', reason: 'Well' };
const later = new Date('2026-01-02T00:00:00Z');

describe('conditions', () => {
  it('are found by their type', () => {
    assert.equal(conditionOf([joined, healthy], 'Healthy'), healthy);
    assert.equal(conditionOf(undefined, 'Healthy'), undefined);
  });

  it('keep their place and transition time while the status is the same, whatever else changes', () => {
    const { lastTransitionTime, ...state } = { ...joined, reason: 'StillJoined', observedGeneration: 3 };
    assert.deepEqual(withCondition([joined, healthy], state, later), [{ ...state, lastTransitionTime }, healthy]);
  });

  it('get a new transition time when the status changes, and are appended when they are new', () => {
    const { lastTransitionTime: _, ...state } = { ...joined, status: 'False' as const };
    const lastTransitionTime = '2026-01-02T00:00:00Z';
    assert.deepEqual(withCondition([joined], state, later), [{ ...state, lastTransitionTime }]);
    assert.deepEqual(withCondition([healthy], state, later), [healthy, { ...state, lastTransitionTime }]);
  });

  it('are true of an object only if they observed its generation', () => {
    assert.equal(isTrueNow(joined, 2), true);
    assert.equal(isTrueNow(joined, 3), false);
    assert.equal(isTrueNow(undefined, 2), false);
  });

  it('can be removed', () => {
    assert.deepEqual(withoutCondition([joined, healthy], 'Joined'), [healthy]);
  });
});
