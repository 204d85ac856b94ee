import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonSize, jsonTextSize, mayExceed } from './json-size.ts';
import { parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

test('the size is that of the printed text', () => {
  for (const text of [
    '{}',
    '[]',
    'null',
    '[[],{},"",0,-1.5,true,12345678901234567890]',
    '{"a":{"b":["x\\"y\\\\z","\\u0000\\n","é€😀"]},"__proto__":1,"c":null}',
  ]) {
    const { value } = parseJson(text);
    assert.equal(jsonSize(value), Buffer.byteLength(stringifyJson(value)), text);
  }
});

test('members without a value are not printed', () => {
  assert.equal(jsonSize({ a: undefined, b: 1 }), '{"b":1}'.length);
});

test('stops at the limit', () => {
  const halves = ['x'.repeat(100), 'y'.repeat(100)];
  assert.ok(jsonSize(halves, 50) > 50);
  assert.equal(jsonSize(halves, 207), 207);
});

test('a text that JSON escapes counts with its escapes', () => {
  assert.equal(jsonTextSize('a"b'), 6);
  assert.equal(jsonTextSize('plain'), 7);
});

test('no value that exceeds a limit is taken for one that does not', () => {
  for (const text of [
    '"\\u0001\\u0002"',
    '[1.5e-300,-1.5e-300]',
    '{"\\u0001":[],"b":{}}',
    '[12345678901234567890]',
    '""',
  ]) {
    const { value } = parseJson(text);
    const bytes = Buffer.byteLength(stringifyJson(value));
    assert.equal(mayExceed(value, bytes - 1), true, text);
    assert.equal(mayExceed(value, bytes * 100), false, text);
  }
});
