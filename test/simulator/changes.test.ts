import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from './changes.ts';
import type { ShownObject, Snapshot } from './snapshot.ts';

const nothing: Snapshot = { objects: new Map(), events: new Map() };

function pod(summary: string, fields: Record<string, string>): ShownObject {
  return { order: 1, title: 'Pod web-*', summary, fields: new Map(Object.entries(fields)) };
}

test('shows a new object with all its fields, and counts equal ones once', () => {
  const objects = new Map(['a', 'b', 'c'].map((uid) => [uid, pod('pending', { phase: uid === 'c' ? '2' : '1' })]));
  assert.deepEqual(changesBetween(nothing, { ...nothing, objects }), [
    '+ 2 × Pod web-*\n    phase: 1',
    '+ Pod web-*\n    phase: 2',
  ]);
});

test('shows the same changes whichever of equal objects changed', () => {
  const before = new Map(['a', 'b'].map((uid) => [uid, pod('pending', { phase: '1', node: '' })]));
  const changed = pod('ready', { phase: '2' });
  const expected = ['~ Pod web-*\n    node removed\n    phase: 2'];
  for (const uid of before.keys()) {
    const after = new Map(before).set(uid, changed);
    assert.deepEqual(changesBetween({ ...nothing, objects: before }, { ...nothing, objects: after }), expected);
  }
});

test('describes an object that is gone, and shows an event again when its count grows', () => {
  const before = { objects: new Map([['a', pod('ready on node-1', {})]]), events: new Map([['e', 'Killing']]) };
  const after = { objects: new Map(), events: new Map([['e', 'Killing ×2']]) };
  assert.deepEqual(changesBetween(before, after), ['- Pod web-* (ready on node-1)', '! Killing ×2']);
});
