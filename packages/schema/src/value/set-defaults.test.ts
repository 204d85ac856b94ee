import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { SchemaNode } from '../schema-node.ts';
import { setDefaults } from './set-defaults.ts';

function filled(properties: Record<string, JsonSchema>, object: JsonObject): JsonObject {
  setDefaults(object, new SchemaNode({ type: 'object', properties }));
  return object;
}

function preset(value: JsonValue, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', default: value, ...more };
}

describe('defaults', () => {
  test('set missing fields, and replace nulls that are not allowed', () => {
    const properties = { a: preset('x'), b: preset('x'), c: preset('x', { nullable: true }), d: preset('x') };
    assert.deepEqual(filled(properties, { b: null, c: null, d: 'own' }), { a: 'x', b: 'x', c: null, d: 'own' });
  });

  test('complete other defaults, but do not create objects', () => {
    const inner: JsonSchema = { type: 'object', properties: { deep: preset('y') } };
    assert.deepEqual(filled({ a: { ...inner, default: { own: 1 } }, b: inner }, {}), { a: { own: 1, deep: 'y' } });
  });

  test('reach into maps and lists', () => {
    const item: JsonSchema = { type: 'object', properties: { deep: preset('y') } };
    const properties: Record<string, JsonSchema> = {
      map: { type: 'object', additionalProperties: item },
      list: { type: 'array', items: item },
      texts: { type: 'array', items: preset('z') },
    };
    assert.deepEqual(filled(properties, { map: { a: {} }, list: [{}, { deep: 'own' }], texts: [null, 'own'] }), {
      map: { a: { deep: 'y' } },
      list: [{ deep: 'y' }, { deep: 'own' }],
      texts: ['z', 'own'],
    });
  });

  test('are not shared between objects', () => {
    const schema = { a: { type: 'object', default: { list: [] } } };
    const first = filled(schema, {});
    ((first['a'] as JsonObject)['list'] as JsonValue[]).push(1);
    assert.deepEqual(filled(schema, {}), { a: { list: [] } });
  });
});
