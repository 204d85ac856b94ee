import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { isJsonObject, JsonFloat } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import { applyMergePatch } from './merge-patch.ts';
import { PatchError } from './patch-error.ts';
import { createThreeWayMergePatch } from './three-way-patch.ts';

const patchOf = (original: JsonObject, modified: JsonObject, current: JsonObject) =>
  createThreeWayMergePatch({ original, modified, current });

describe('a three-way merge patch', () => {
  test('sets what differs, removes dropped fields, keeps those of others', () => {
    const patch = patchOf({ a: 1, b: { c: 1, d: 1 } }, { a: 2, b: { c: 1 } }, { a: 1, b: { c: 1, d: 1, z: 1 }, z: 1 });
    assert.deepEqual(patch, { a: 2, b: { d: null } });
  });

  test('treats every list as one value', () => {
    assert.deepEqual(patchOf({}, { l: [{ name: 'a' }] }, { l: [{ name: 'a' }, { name: 'b' }] }), {
      l: [{ name: 'a' }],
    });
  });

  test('a whole number equals the same float', () => {
    assert.deepEqual(patchOf({}, { a: new JsonFloat(1), l: [2] }, { a: 1, l: [new JsonFloat(2)] }), {});
  });

  test('keeps integers that no double can hold', () => {
    const large = 2n ** 53n + 1n;
    assert.deepEqual(patchOf({}, { a: large }, { a: large + 1n }), { a: large });
  });

  test('refuses to touch an unchangeable field', () => {
    const rename = () =>
      createThreeWayMergePatch(
        { original: {}, modified: { metadata: { name: 'b' } }, current: { metadata: { name: 'a' } } },
        [['kind'], ['metadata', 'name']],
      );
    assert.throws(rename, new PatchError('unexpected', 'precondition failed for: map[metadata:map[name:b]]'));
  });

  test('of documents beyond the maximum depth is refused', () => {
    const deep = (value: number): JsonObject => {
      let object: JsonObject = { value };
      for (let level = 0; level < 5000; level++) object = { a: object };
      return object;
    };
    assert.throws(() => patchOf({}, deep(1), deep(2)), /exceeded max depth/);
  });
});

const documents = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer({ min: 0, max: 3 }),
      fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { noNullPrototype: true }),
    ),
  })).value,
  { noNullPrototype: true },
) as fc.Arbitrary<JsonObject>;

test('any three-way merge patch applies the configuration and removes dropped fields', () => {
  fc.assert(
    fc.property(documents, documents, documents, (original, modified, current) => {
      const result = applyMergePatch(current, patchOf(original, modified, current)) as JsonObject;
      assertContains(result, modified);
      assertLacksDropped(result, original, modified);
    }),
    { numRuns: 500 },
  );
});

function assertContains(result: JsonObject, wanted: JsonObject): void {
  for (const [key, value] of Object.entries(wanted)) {
    const got = result[key];
    if (isJsonObject(value) && isJsonObject(got)) assertContains(got, value);
    else assert.deepEqual(got, value);
  }
}

function assertLacksDropped(result: JsonObject, original: JsonObject, modified: JsonObject): void {
  for (const [key, before] of Object.entries(original)) {
    const after = modified[key];
    const got = result[key];
    if (after === undefined) assert.equal(Object.hasOwn(result, key), false, key);
    else if (isJsonObject(before) && isJsonObject(after) && isJsonObject(got)) assertLacksDropped(got, before, after);
  }
}
