import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './json/parse-json.ts';
import type { JsonValue } from './json/value.ts';
import { onceForEqual } from './once-for-equal.ts';

const read = (text: string) => parseJson(text).value;
const madeOf = onceForEqual((value: JsonValue) => ({ value }), 4);

test('equal values have one result', () => {
  const first = madeOf(read('{"a":[1]}'));
  assert.equal(madeOf(read('{"a":[1]}')), first);
  assert.deepEqual(first, { value: { a: [1] } });
});

test('values that differ in the spelling of a number or in the order of keys have results of their own', () => {
  const texts = ['1', '1.0', '{"b":1,"c":2}', '{"c":2,"b":1}'];
  assert.equal(new Set(texts.map((text) => madeOf(read(text)))).size, texts.length);
});

test('keeps the results that were used last, and none of large values', () => {
  const first = madeOf('first');
  for (const value of ['a', 'b', 'first', 'c', 'd']) madeOf(value);
  assert.equal(madeOf('first'), first);
  for (const value of ['a', 'b', 'c', 'd']) madeOf(value);
  assert.notEqual(madeOf('first'), first);
  const large = 'x'.repeat(10_000);
  assert.notEqual(madeOf(large), madeOf(large));
});
