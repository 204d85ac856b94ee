import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { applyMergePatch, decodeMergePatch, mergePatchChanges } from './merge-patch.ts';
import { PatchError } from './patch-error.ts';

describe('applyMergePatch', () => {
  for (const [target, patch, result] of [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ e: null }, { a: 1 }, { a: 1, e: null }],
    [{ a: {} }, ['c'], ['c']],
  ] as readonly (readonly [JsonValue, JsonValue, JsonValue])[]) {
    test(`${JSON.stringify(target)} with ${JSON.stringify(patch)} is ${JSON.stringify(result)}`, () => {
      assert.deepEqual(applyMergePatch(target, patch), result);
    });
  }

  test('drops nulls from objects in a list that replaces a list, but not in one that replaces an object', () => {
    const patch = { x: [{ a: null, b: 1 }, null] };
    assert.deepEqual(applyMergePatch({ x: [] }, patch), { x: [{ b: 1 }, null] });
    assert.deepEqual(applyMergePatch({ x: {} }, patch), patch);
  });

  test('treats __proto__ as an ordinary key', () => {
    const patch = JSON.parse('{"data":{"__proto__":{"polluted":true}}}') as JsonObject;
    assert.equal(JSON.stringify(applyMergePatch({ data: {} }, patch)), '{"data":{"__proto__":{"polluted":true}}}');
    assert.equal(({} as JsonObject)['polluted'], undefined);
  });

  test('does not modify its input and shares unchanged parts', () => {
    const target = { touched: { a: 1 }, other: {} };
    const result = applyMergePatch(target, { touched: { a: null } }) as JsonObject;
    assert.deepEqual(target, { touched: { a: 1 }, other: {} });
    assert.equal(result['other'], target.other);
  });

  test('refuses a document beyond the maximum depth', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as JsonValue;
    assert.throws(() => applyMergePatch({}, deep), PatchError);
    assert.throws(() => applyMergePatch(deep, deep), PatchError);
  });

  test('applying a difference yields the target', () => {
    fc.assert(
      fc.property(objectWithoutNulls, objectWithoutNulls, (from, to) => {
        assert.deepEqual(applyMergePatch(from, mergeDifference(from, to)), to);
      }),
    );
  });

  test('applying a patch twice changes nothing more', () => {
    fc.assert(
      fc.property(objectWithoutNulls, objectWithoutNulls, objectWithoutNulls, (target, from, to) => {
        const patch = mergeDifference(from, to);
        const once = applyMergePatch(target, patch);
        assert.deepEqual(applyMergePatch(once, patch), once);
      }),
    );
  });
});

test('a patch changes a target exactly if the result differs', () => {
  fc.assert(
    fc.property(objectWithoutNulls, objectWithoutNulls, objectWithoutNulls, (target, from, to) => {
      for (const patch of [mergeDifference(from, to), mergeDifference(target, to), to, {}]) {
        const result = applyMergePatch(target, patch);
        assert.equal(mergePatchChanges(target, patch), !isDeepStrictEqual(result, target));
        assert.equal(mergePatchChanges(result, patch), false);
      }
    }),
  );
});

describe('decodeMergePatch', () => {
  const notAnObject = 'json: cannot unmarshal array into Go value of type map[string]interface {}';

  test('refuses a list if strict, else returns it as the result', () => {
    const refusal = { fault: 'malformed', message: `error decoding patch: ${notAnObject}` };
    assert.throws(() => decodeMergePatch([], true), refusal);
    assert.deepEqual(decodeMergePatch([], false), []);
  });

  test('refuses null and scalars', () => {
    assert.throws(() => decodeMergePatch(null, true), { fault: 'malformed', message: 'Invalid JSON Patch' });
    assert.throws(() => decodeMergePatch(3, false), { fault: 'malformed', message: 'Invalid JSON Patch' });
  });
});

const { object: objectWithoutNulls } = fc.letrec<{ object: JsonObject; value: JsonValue }>((tie) => ({
  object: fc.dictionary(fc.string(), tie('value')).map((object) => ({ ...object })),
  value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.array(fc.string()), tie('object')),
}));

function mergeDifference(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) define(patch, key, null);
  for (const [key, value = null] of Object.entries(to)) {
    const current = Object.hasOwn(from, key) ? from[key] : undefined;
    define(patch, key, isJsonObject(value) && isJsonObject(current) ? mergeDifference(current, value) : value);
  }
  return patch;
}

function define(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
