import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonEquals, jsonTextEquals } from './json-equals.ts';
import { parseJson, parseSpelledJson } from './parse-json.ts';
import type { JsonValue } from './value.ts';

function areEqual(left: string, right: string): boolean {
  return jsonEquals(parseJson(left).value, parseJson(right).value);
}

test('the order of members does not matter, that of items does', () => {
  assert.ok(areEqual('{"a":1,"b":[{"c":null}]}', '{"b":[{"c":null}],"a":1}'));
  assert.ok(!areEqual('[1,2]', '[2,1]'));
});

test('a difference at any depth is a difference', () => {
  for (const other of [
    '{"a":[1,{"b":3}]}',
    '{"a":[1]}',
    '{"a":[1,{}]}',
    '{"a":[1,{"c":2}]}',
    '{"a":{"0":1}}',
    '{}',
    'null',
  ]) {
    assert.ok(!areEqual('{"a":[1,{"b":2}]}', other), other);
    assert.ok(!areEqual(other, '{"a":[1,{"b":2}]}'), other);
  }
});

test('parses numbers as written', () => {
  assert.ok(areEqual('1.0', '1e0'));
  assert.ok(!areEqual('1', '1.0'));
  assert.ok(!areEqual('9007199254740993', '9007199254740992'));
});

test('special keys are ordinary keys', () => {
  assert.ok(areEqual('{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'));
  assert.ok(!areEqual('{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'));
  assert.ok(!areEqual('{"constructor":1}', '{"b":1}'));
});

test('compares at the maximum depth of JSON', () => {
  const nested = (leaf: number): string => '['.repeat(9999) + String(leaf) + ']'.repeat(9999);
  assert.ok(areEqual(nested(1), nested(1)));
  assert.ok(!areEqual(nested(1), nested(2)));
});

test('jsonTextEquals compares the text of floats', () => {
  const [left, right] = ['[1e21]', '[1e+21]'].map((text) => parseJson(text).value) as [JsonValue, JsonValue];
  assert.ok(jsonEquals(left, right));
  assert.ok(!jsonTextEquals(left, right));
});

test('a number that keeps its text is equal to the same text only', () => {
  const [left, right, plain] = ['[1e-3]', '[0.0010]', '[0.001]'].map((text) => parseSpelledJson(text).value) as [
    JsonValue,
    JsonValue,
    JsonValue,
  ];
  assert.ok(jsonEquals(left, left));
  assert.ok(!jsonEquals(left, right));
  assert.ok(!jsonEquals(left, plain));
});
