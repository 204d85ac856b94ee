import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, JsonFloat, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { SchemaNode } from '../schema-node.ts';
import { validateUniqueItems } from './unique-items.ts';

function messages(list: JsonSchema, value: JsonValue): string[] {
  const root = new SchemaNode({ type: 'object', properties: { x: { type: 'array', ...list } } });
  return validateUniqueItems({ x: value }, root).map(fieldErrorText);
}

const set: JsonSchema = { 'x-kubernetes-list-type': 'set' };
const byKey = (...keys: string[]): JsonSchema => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

describe('uniqueness', () => {
  test('of a set: reports each repeated value once', () => {
    assert.deepEqual(messages(set, ['a', 'b', 'a', 'a']), ['x[2]: Duplicate value: "a"']);
    assert.deepEqual(messages(set, [1, new JsonFloat(1), 1.5, true]), []);
    assert.deepEqual(
      messages(set, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
      ['x[1]: Duplicate value: {"a":1,"b":2}'],
    );
  });

  test('of a list by keys', () => {
    const list = [{ k: 'a' }, { k: 'b' }, { k: 'a', v: 1 }];
    assert.deepEqual(messages(byKey('k'), list), ['x[2]: Duplicate value: {"k":"a"}']);
    assert.deepEqual(messages(byKey('k'), [{}, null]), ['x[1]: Duplicate value: {}']);
    assert.deepEqual(
      messages(byKey('p', 'q'), [
        { q: 'x', p: 1 },
        { p: 1, q: 'x' },
      ]),
      ['x[1]: Duplicate value: {"p":1,"q":"x"}'],
    );
    assert.deepEqual(messages(byKey('k'), [{ k: 1 }, 'text']), [
      'x[1]: Invalid value: "text": must be an object for an array of list-type map',
    ]);
  });

  test('in maps of lists', () => {
    const schema: JsonSchema = { type: 'object', additionalProperties: { type: 'array', ...set } };
    const root = new SchemaNode({ type: 'object', properties: { m: schema } });
    const errors = validateUniqueItems({ m: { 'a.b': ['x', 'x'] } }, root);
    assert.deepEqual(errors.map(fieldErrorText), ['m[a.b][1]: Duplicate value: "x"']);
  });

  test('of a hundred thousand items takes linear time', () => {
    const items = Array.from({ length: 100_000 }, (_, i) => ({ k: `item-${i}` }));
    assert.deepEqual(messages(byKey('k'), items), []);
  });
});
