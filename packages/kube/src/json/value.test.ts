import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReadAsPrinted, JsonFloat, reparsedFloat, type JsonValue } from './value.ts';
import { parseJson } from './parse-json.ts';

test('a float equals what its JSON parses to', () => {
  for (const value of [0, 1, -1.5, 2 ** 53, -(2 ** 62), 9_223_372_036_854_775_000, 2 ** 63, -(2 ** 63), 1e21, 1e-7]) {
    assert.deepEqual(reparsedFloat(value), parseJson(JSON.stringify(value)).value);
  }
});

test('a value is read as it is printed unless it has bigints or floats with a text, or is deep', () => {
  assert.equal(isReadAsPrinted({ a: ['x', 1, 0.5, true, null, {}, []], b: undefined }), true);
  const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as JsonValue;
  for (const value of [1n, new JsonFloat(1), deep]) assert.equal(isReadAsPrinted({ a: [{ value }] }), false);
});
