import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, percentile } from './percentiles.ts';

test('a percentile is the smallest measured value that the given share does not exceed', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.equal(percentile(hundred, 0.5), 50);
  assert.equal(percentile(hundred, 0.99), 99);
  assert.equal(percentile(hundred, 1), 100);
  assert.equal(percentile(Float64Array.of(7), 0.01), 7);
  assert.equal(percentile(new Float64Array(), 0.5), 0);
});

test('sorts values as numbers', () => {
  assert.equal(median([1000, 9, 80]), 80);
});
