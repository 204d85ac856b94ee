import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reparsedFloat } from './value.ts';
import { parseJson } from './parse-json.ts';

test('a float equals what its JSON parses to', () => {
  for (const value of [0, 1, -1.5, 2 ** 53, -(2 ** 62), 9_223_372_036_854_775_000, 2 ** 63, -(2 ** 63), 1e21, 1e-7]) {
    assert.deepEqual(reparsedFloat(value), parseJson(JSON.stringify(value)).value);
  }
});
