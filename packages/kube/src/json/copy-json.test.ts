import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyAsPrinted, copyJson, inKeyOrder, sortedCopy } from './copy-json.ts';
import { parseJson, parseSpelledJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';
import { JsonFloat, SpelledNumber, type JsonObject, type JsonValue } from './value.ts';

test('shares nothing with its source', () => {
  const source = { list: [{ a: 1 }], map: { b: [] } };
  const copy = copyJson(source) as typeof source;
  assert.deepEqual(copy, source);
  assert.notEqual(copy.list, source.list);
  assert.notEqual(copy.list[0], source.list[0]);
  assert.notEqual(copy.map.b, source.map.b);
});

test('keeps exact numbers and keys such as __proto__', () => {
  const { value } = parseJson('{"__proto__":{"a":1.0},"big":9007199254740993}');
  const copy = copyJson(value) as JsonObject;
  assert.deepEqual(Object.keys(copy), ['__proto__', 'big']);
  assert.equal(copy['big'], 9007199254740993n);
  const own = Object.getOwnPropertyDescriptor(copy, '__proto__')?.value as JsonObject;
  assert.ok(own['a'] instanceof JsonFloat);
});

test('copies at the maximum depth of JSON', () => {
  const { value } = parseJson('['.repeat(10_000) + ']'.repeat(10_000));
  assert.equal(JSON.stringify(copyJson(value)).length, 20_000);
});

test('keys are sorted at every depth, inside lists too', () => {
  const value = { b: [{ d: 1, c: { f: 1, e: 2 } }], a: 'x' };
  const copy = sortedCopy(value);
  assert.equal(JSON.stringify(copy), '{"a":"x","b":[{"c":{"e":2,"f":1},"d":1}]}');
  assert.equal(JSON.stringify(inKeyOrder(value)), JSON.stringify(copy));
  assert.equal(inKeyOrder(copy), copy);
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

test('__proto__ is an ordinary key', () => {
  const value = JSON.parse('{"__proto__":{"b":1,"a":2},"a":1}') as JsonValue;
  assert.equal(JSON.stringify(sortedCopy(value)), '{"__proto__":{"a":2,"b":1},"a":1}');
});

test('handles the maximum depth', () => {
  let value: JsonValue = 1;
  for (let i = 0; i < 100_000; i++) value = { b: value, a: 1 };
  assert.deepEqual(Object.keys(sortedCopy(value) as object), ['a', 'b']);
  assert.deepEqual(Object.keys(inKeyOrder(value) as object), ['a', 'b']);
});

test('shares what is in order, and leaves its source as it is', () => {
  const inOrder = { a: [1], b: {} };
  const source = { x: inOrder, list: [inOrder, { d: 1, c: 2 }], n: new SpelledNumber(1000, '1e3') };
  const before = JSON.stringify(source);
  const result = inKeyOrder(source) as unknown as { x: unknown; list: unknown[] };
  assert.equal(JSON.stringify(result), '{"list":[{"a":[1],"b":{}},{"c":2,"d":1}],"n":1000,"x":{"a":[1],"b":{}}}');
  assert.equal(result.x, inOrder);
  assert.equal(result.list[0], inOrder);
  assert.equal(JSON.stringify(source), before);
});

test('sorts many keys and few keys alike', () => {
  for (const count of [2, 16, 17, 40]) {
    const keys = Array.from({ length: count }, (_, i) => `k${(i * 7) % count}x`);
    const sorted = Object.keys(inKeyOrder(Object.fromEntries(keys.map((key) => [key, 1]))) as object);
    assert.deepEqual(sorted, [...new Set(keys)].sort());
  }
});

test('numbers forget a text that a map of Go would not hold', () => {
  const { value } = parseSpelledJson('{"b":[1e-3,-0,0.10],"a":1e3}');
  assert.equal(JSON.stringify(sortedCopy(value)), '{"a":1000,"b":[0.001,0,0.1]}');
});

test('copies what the parsers read from a printed value, or nothing', () => {
  const simple = { a: ['x', 1, -5, true, null, {}, []], '<b>': { '\u0001': '\u2028é😀' }, 7: 'seven', none: undefined };
  const copy = copyAsPrinted(simple);
  assert.deepEqual(copy, parseJson(stringifyJson(simple)).value);
  assert.notEqual((copy as JsonObject)['a'], simple.a);
  const proto = JSON.parse('{"__proto__":{"a":1}}') as JsonValue;
  assert.equal(stringifyJson(copyAsPrinted(proto) ?? null), stringifyJson(proto));
  const nested = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as JsonValue;
  const others = [0.5, -0, 1e15, NaN, 10n, new JsonFloat(1), '\ud800', { '\udc00': 1 }, nested];
  for (const value of others) assert.equal(copyAsPrinted({ value }), undefined);
});
