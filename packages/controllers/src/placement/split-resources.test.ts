import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitResources } from './split-resources.ts';

const limit = 819_200;

const cases: readonly [string, readonly number[], readonly (readonly number[])[]][] = [
  ['nothing is one empty snapshot', [], [[0, 0]]],
  ['resources share a snapshot up to exactly 800 KiB', [limit - 1, 1], [[0, 2]]],
  [
    'a byte more makes another snapshot',
    [limit - 1, 2],
    [
      [0, 1],
      [1, 2],
    ],
  ],
  [
    'a resource above the limit is alone',
    [1, limit + 1, 1],
    [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  ],
  [
    'several above the limit are alone, each',
    [limit + 1, 2 * limit],
    [
      [0, 1],
      [1, 2],
    ],
  ],
  [
    'the order is kept, even if another order needs fewer snapshots',
    [limit, 1, limit, 1],
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ],
  ],
];

for (const [claim, sizes, expected] of cases) {
  test(claim, () => assert.deepEqual(splitResources(sizes), expected));
}
