import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowerBandSize, pickFree } from './pool-band.ts';

test('small ranges have one band, larger ones reserve a share for explicit requests', () => {
  const ips = { step: 16, most: 256 };
  assert.deepEqual(
    [16, 32, 256, 4096, 65536].map((size) => lowerBandSize(size, ips)),
    [0, 16, 16, 256, 256],
  );
  assert.equal(lowerBandSize(2768, { step: 32, most: 128 }), 86);
});

test('the search begins at a random place of the upper band and wraps around', () => {
  const range = { first: 1, last: 10, dynamicFrom: 5 };
  assert.equal(
    pickFree(
      range,
      () => false,
      () => 0.99,
    ),
    10,
  );
  assert.equal(
    pickFree(
      range,
      (value) => value === 10,
      () => 0.99,
    ),
    5,
  );
});

test('the lower band is used after the upper one', () => {
  const range = { first: 1, last: 10, dynamicFrom: 5 };
  assert.equal(
    pickFree(
      range,
      (value) => value >= 5,
      () => 0,
    ),
    1,
  );
  assert.equal(
    pickFree(
      range,
      () => true,
      () => 0,
    ),
    undefined,
  );
});
