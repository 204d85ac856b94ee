import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSortedKeys, sortedCopy } from './sorted-keys.ts';
import { JsonFloat, type JsonValue } from './value.ts';

test('keys are sorted at every depth, inside lists too', () => {
  const value = { b: [{ d: 1, c: { f: 1, e: 2 } }], a: 'x' };
  assert.equal(hasSortedKeys(value), false);
  const copy = sortedCopy(value);
  assert.equal(JSON.stringify(copy), '{"a":"x","b":[{"c":{"e":2,"f":1},"d":1}]}');
  assert.ok(hasSortedKeys(copy));
});

test('keys are compared by their bytes', () => {
  const [astral, private_] = ['\u{1F600}', '\uFFFD'];
  assert.deepEqual(Object.keys(sortedCopy({ [astral]: 1, [private_]: 2 }) as object), [private_, astral]);
});

test('nothing is shared, and numbers keep their spelling', () => {
  const inner = { a: new JsonFloat(1, '1.0'), b: 12345678901234567890n };
  const copy = sortedCopy({ inner }) as { inner: typeof inner };
  assert.notEqual(copy.inner, inner);
  assert.deepEqual(copy.inner, inner);
});

test('a key that looks like a prototype is a key', () => {
  const value = JSON.parse('{"__proto__":{"b":1,"a":2},"a":1}') as JsonValue;
  assert.equal(JSON.stringify(sortedCopy(value)), '{"__proto__":{"a":2,"b":1},"a":1}');
});

test('depth does not matter', () => {
  let value: JsonValue = 1;
  for (let i = 0; i < 100_000; i++) value = { b: value, a: 1 };
  assert.ok(hasSortedKeys(sortedCopy(value)));
});
