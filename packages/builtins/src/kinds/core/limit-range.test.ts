import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitRangeKind } from './limit-range.ts';

test('a LimitRange without a name gets a generated one', () => {
  const uid = '00000000-0000-4000-8000-000000000001';
  const object = { apiVersion: 'v1', kind: 'LimitRange', metadata: { uid } };
  limitRangeKind.prepareForCreate?.(object, { now: new Date(0), user: '', groups: [] });
  assert.deepEqual(object.metadata, { uid, name: uid });
});
