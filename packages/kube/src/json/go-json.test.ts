import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goJson, goJsonChunks } from './go-json.ts';
import { parseUnboundedJson } from './parse-json.ts';
import { JsonFloat } from './value.ts';

test('sorts the keys of maps at every level', () => {
  assert.equal(goJson({ b: 1, a: [{ d: true, c: null }] }), '{"a":[{"c":null,"d":true}],"b":1}');
});

test('keeps the order of keys on request', () => {
  assert.equal(goJson({ b: 1, a: 2 }, { sortKeys: false }), '{"b":1,"a":2}');
});

test('sorts keys that look like numbers as text', () => {
  assert.equal(goJson({ 9: 1, 10: 2 }), '{"10":2,"9":1}');
});

test('escapes HTML and line separators', () => {
  assert.equal(goJson('<a&b>\u2028'), '"\\u003ca\\u0026b\\u003e\\u2028"');
  assert.equal(goJson('<\u2029', { escapeHtml: false }), '"<\\u2029"');
});

test('prints every kind of number as Go does', () => {
  const numbers = [9223372036854775807n, new JsonFloat(1), 0.1, new JsonFloat(1e21), 1e-7];
  assert.equal(goJson(numbers), '[9223372036854775807,1,0.1,1e+21,1e-7]');
});

test('prints the float64 of a number that was written otherwise, on request', () => {
  const numbers = parseUnboundedJson('[1.0,1e3,1e21,0.10,-0.0,-0,1e-07,123456789012345678901234567890,1e309]').value;
  assert.equal(goJson(numbers, { keepSpelling: false }), '[1,1000,1e+21,0.1,-0,0,1e-7,1.2345678901234568e+29,1e309]');
});

test('omits undefined members and keeps __proto__', () => {
  assert.equal(goJson(JSON.parse('{"__proto__":{"a":1}}')), '{"__proto__":{"a":1}}');
  assert.equal(goJson({ a: undefined, b: 1 }), '{"b":1}');
});

test('prints a large value in chunks of the same text', () => {
  const value = {
    names: Array.from({ length: 5_000 }, (_, index) => ({ '<b>': index, a: `\u2028${index}` })),
    empty: {},
  };
  const chunks = [...goJsonChunks(value)];
  assert.ok(chunks.length > 5);
  assert.equal(chunks.join(''), goJson(value));
  assert.deepEqual([...goJsonChunks('text')], ['"text"']);
});

test('prints values of every depth', () => {
  const depth = 5_000;
  const value = parseUnboundedJson(`${'{"b":1,"a":['.repeat(depth)}"é"${']}'.repeat(depth)}`).value;
  assert.equal(goJson(value), `${'{"a":['.repeat(depth)}"é"${'],"b":1}'.repeat(depth)}`);
});
