import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition, isConditionTrue, removeCondition, setCondition } from './condition.ts';

const before = '2026-01-01T00:00:00Z';
const now = '2026-01-02T00:00:00Z';
const ready = { type: 'Ready', status: 'True', reason: 'Up', message: '', lastTransitionTime: before } as const;

test('the transition time moves with the status only', () => {
  const reworded = setCondition([ready], { ...ready, message: 'fine' }, now);
  assert.equal(findCondition(reworded, 'Ready')?.lastTransitionTime, before);
  const down = setCondition([ready], { type: 'Ready', status: 'False', reason: 'Down', message: '' }, now);
  assert.equal(findCondition(down, 'Ready')?.lastTransitionTime, now);
});

test('nothing new gives the same array', () => {
  const conditions = [ready];
  assert.equal(setCondition(conditions, { type: 'Ready', status: 'True', reason: 'Up', message: '' }, now), conditions);
  assert.equal(removeCondition(conditions, 'Other'), conditions);
});

test('a new condition is added', () => {
  const conditions = setCondition(undefined, { type: 'A', status: 'Unknown', reason: 'R', message: 'm' }, now);
  assert.deepEqual(conditions, [{ type: 'A', status: 'Unknown', lastTransitionTime: now, reason: 'R', message: 'm' }]);
  assert.equal(isConditionTrue(conditions, 'A'), false);
});
