import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyJson } from './copy-json.ts';
import { parseJson } from './parse-json.ts';
import { JsonFloat, type JsonObject } from './value.ts';

test('shares nothing with its source', () => {
  const source = { list: [{ a: 1 }], map: { b: [] } };
  const copy = copyJson(source) as typeof source;
  assert.deepEqual(copy, source);
  assert.notEqual(copy.list, source.list);
  assert.notEqual(copy.list[0], source.list[0]);
  assert.notEqual(copy.map.b, source.map.b);
});

test('keeps exact numbers and keys with a meaning of their own', () => {
  const { value } = parseJson('{"__proto__":{"a":1.0},"big":9007199254740993}');
  const copy = copyJson(value) as JsonObject;
  assert.deepEqual(Object.keys(copy), ['__proto__', 'big']);
  assert.equal(copy['big'], 9007199254740993n);
  const own = Object.getOwnPropertyDescriptor(copy, '__proto__')?.value as JsonObject;
  assert.ok(own['a'] instanceof JsonFloat);
});

test('copies as deep as JSON may be', () => {
  const { value } = parseJson('['.repeat(10_000) + ']'.repeat(10_000));
  assert.equal(JSON.stringify(copyJson(value)).length, 20_000);
});
