import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject } from '../json/value.ts';
import { pathsOf } from './field-set.ts';
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts';
import { arbitraryFields } from './arbitrary-fields.testing.ts';
import { InvalidPathElement, pathText } from './path-element.ts';

function pathsIn(fields: JsonObject): string[] {
  return Array.from(pathsOf(fromFieldsV1(fields)), pathText);
}

test('parses what it prints', () => {
  fc.assert(
    fc.property(arbitraryFields, (set) => {
      const fields = toFieldsV1(set);
      assert.deepEqual(fromFieldsV1(fields), set);
      assert.deepEqual(fromFieldsV1(JSON.parse(JSON.stringify(fields)) as JsonObject), set);
    }),
  );
});

test('marks owned nodes that have children', () => {
  const fields = { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': { 'f:d': {} } };
  assert.deepEqual(pathsIn(fields), ['.a', '.a.b', '.c.d']);
  assert.equal(JSON.stringify(toFieldsV1(fromFieldsV1(fields))), JSON.stringify(fields));
});

test('sorts siblings', () => {
  const fields = { 'v:"x"': {}, 'k:{"n":10}': {}, 'k:{"n":9}': {}, 'f:b': {}, 'f:a': {} };
  assert.deepEqual(Object.keys(toFieldsV1(fromFieldsV1(fields))), ['f:a', 'f:b', 'k:{"n":9}', 'k:{"n":10}', 'v:"x"']);
});

test('merges keys of the same element', () => {
  assert.deepEqual(toFieldsV1(fromFieldsV1({ 'k:{"n": 1}': { 'f:a': {} }, 'k:{"n":1}': { 'f:b': {} } })), {
    'k:{"n":1}': { 'f:a': {}, 'f:b': {} },
  });
});

test('merges two of 100,000 keys in linear time', { timeout: 20_000 }, () => {
  const fields: JsonObject = { 'v:1': {}, 'v:1.0': {} };
  for (let value = 2; value <= 100_000; value++) fields[`v:${value}`] = {};
  assert.equal(fromFieldsV1(fields).length, 100_000);
});

test('drops unknown kinds of elements with their children', () => {
  assert.deepEqual(pathsIn({ 'q:x': { 'f:a': {} }, 'f:b': { 'q:y': {} } }), ['.b']);
});

test('treats null as a leaf', () => {
  assert.deepEqual(pathsIn({ 'f:a': null }), ['.a']);
});

test('refuses values that are no field set', () => {
  assert.throws(() => fromFieldsV1({ 'f:a': 1 }), InvalidPathElement);
  assert.throws(() => fromFieldsV1({ 'f:a': { b: {} } }), InvalidPathElement);
});

test('fields may be named like properties of Object', () => {
  const fields = JSON.parse('{"f:__proto__":{"f:constructor":{}}}') as JsonObject;
  assert.deepEqual(pathsIn(fields), ['.__proto__.constructor']);
});
