import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planKeys } from './keys-and-data.ts';

const plan = (keys: 'none' | 'unfinished' | 'complete', hasData: boolean, isNew = false): string =>
  planKeys('/data', { keys, hasData, isNew });

test('an empty directory gets keys, and a complete one uses its own', () => {
  assert.equal(plan('none', false), 'make');
  assert.equal(plan('complete', true), 'use');
});

test('keys without data are refused without --new', () => {
  assert.throws(
    () => plan('complete', false),
    /^UnusableCredentials: the data directory \/data has keys but no data.*--new/,
  );
  assert.equal(plan('complete', false, true), 'use');
});

test('data without keys is refused without --new', () => {
  assert.throws(
    () => plan('none', true),
    /^UnusableCredentials: the data directory \/data has data but no keys.*--new/,
  );
  assert.equal(plan('none', true, true), 'make');
});

test('an interrupted first start is finished if it stored something, and begun again if not', () => {
  assert.equal(plan('unfinished', true), 'finish');
  assert.equal(plan('unfinished', false), 'make');
});
