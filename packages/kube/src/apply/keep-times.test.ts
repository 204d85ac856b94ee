import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aConfigMap, entry, stored } from './sample-objects.testing.ts';
import { keepTimes } from './keep-times.ts';

const fields = { 'f:data': { 'f:a': {} } };
const earlier = [entry('m', 'Update', fields)];
const later = [entry('m', 'Update', fields, { time: '2026-01-01T00:00:09Z' })];
const before = stored(aConfigMap({ a: '1' }), earlier);

test('keeps the old times when nothing else is new', () => {
  assert.equal(keepTimes(before, stored(before, later)), earlier);
});

test('takes the new times when the object changed', () => {
  assert.equal(keepTimes(before, stored(aConfigMap({ a: '2' }), later)), later);
});

test('takes the new times when somebody owns other fields', () => {
  const others = [entry('m', 'Update', {}, { time: '2026-01-01T00:00:09Z' })];
  assert.equal(keepTimes(before, stored(before, others)), others);
  const more = [...later, entry('n', 'Update', fields)];
  assert.equal(keepTimes(before, stored(before, more)), more);
});

test('forgets managers that were reset', () => {
  assert.equal(keepTimes(before, stored(before)), undefined);
});
