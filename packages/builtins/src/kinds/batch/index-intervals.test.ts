import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countIndexes, firstCommonIndex } from './index-intervals.ts';

test('counts the indexes of a set', () => {
  assert.equal(countIndexes('', 5), 0);
  assert.equal(countIndexes('0,2-4', 5), 4);
});

test('reports what is wrong with a set', () => {
  assert.equal(countIndexes('5', 5), 'too large index: "5"');
  assert.equal(countIndexes('2,1', 5), 'non-increasing order, previous: 2, current: 1');
  assert.equal(countIndexes('3-3', 5), 'non-increasing order, previous: 3, current: 3');
  assert.equal(countIndexes('a', 5), 'cannot convert string to integer for index: "a"');
  assert.match(String(countIndexes('1-2-3', 5)), /^the fragment "1-2-3" violates/);
});

test('finds what two sets share', () => {
  assert.equal(firstCommonIndex('0-2,4', '3,4', 5), 4);
  assert.equal(firstCommonIndex('0-2', '1', 5), 1);
  assert.equal(firstCommonIndex('0,2', '1,3', 5), undefined);
  assert.equal(firstCommonIndex('x,2', '2', 5), 2);
});
