import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countCommon,
  countIndexes,
  firstMissing,
  hasIndex,
  parseIndexes,
  printIndexes,
  rangesOf,
  unionOf,
} from './index-ranges.ts';

test('prints two neighbours as a list and more as a range', () => {
  assert.equal(printIndexes(rangesOf([7, 0, 1, 3, 4, 5])), '0,1,3-5,7');
  assert.equal(printIndexes([]), '');
});

test('reads what it prints, up to the number of completions, and ignores the rest', () => {
  assert.equal(printIndexes(parseIndexes('0,1,3-5,7', 100)), '0,1,3-5,7');
  assert.equal(printIndexes(parseIndexes('0,3-5,7', 5)), '0,3,4');
  assert.equal(printIndexes(parseIndexes('x,2-,5-3,4,9-9999999999999', 10)), '4');
  assert.deepEqual(parseIndexes('', 3), []);
});

test('counts and finds indexes', () => {
  const some = parseIndexes('0,1,3-5,7', 10);
  assert.equal(countIndexes(some), 6);
  assert.deepEqual(
    [0, 1, 2, 3, 5, 6, 7, 8].filter((index) => hasIndex(some, index)),
    [0, 1, 3, 5, 7],
  );
  assert.equal(countCommon(some, parseIndexes('1-3,5-9', 10)), 4);
  assert.equal(printIndexes(unionOf(some, parseIndexes('2,6', 10))), '0-7');
});

test('finds the lowest indexes that are missing', () => {
  assert.deepEqual(firstMissing(parseIndexes('0,3,4', 10), 3, 6), [1, 2, 5]);
  assert.deepEqual(firstMissing(parseIndexes('0,3,4', 10), 1, 6), [1]);
  assert.deepEqual(firstMissing([], 2, 100_000), [0, 1]);
  assert.deepEqual(firstMissing(parseIndexes('0-5', 6), 2, 6), []);
});
