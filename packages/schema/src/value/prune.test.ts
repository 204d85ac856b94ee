import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { SchemaNode } from '../schema-node.ts';
import { prune } from './prune.ts';

const string: JsonSchema = { type: 'string' };

function pruned(properties: Record<string, JsonSchema>, object: JsonObject): { unknown: string[]; object: JsonObject } {
  const unknown = prune(object, new SchemaNode({ type: 'object', properties }));
  return { unknown, object };
}

describe('pruning', () => {
  test('removes and reports unknown fields', () => {
    const properties = { list: { type: 'array', items: { type: 'object', properties: { a: string } } } };
    assert.deepEqual(pruned(properties, { list: [{ a: 'x', b: 1 }, { c: {} }], z: 1 }), {
      unknown: ['list[0].b', 'list[1].c', 'z'],
      object: { list: [{ a: 'x' }, {}] },
    });
  });

  test('keeps the fields of every resource', () => {
    const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', anything: 1 } };
    assert.deepEqual(pruned({}, structuredClone(object)), { unknown: [], object });
  });

  test('preserves unknown fields where the schema says so, but not below declared properties', () => {
    const free: JsonSchema = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { strict: { type: 'object', properties: { a: string } } },
    };
    const result = pruned({ free }, { free: { more: { deep: [{ b: 1 }] }, strict: { a: 'x', b: 1 } } });
    assert.deepEqual(result, {
      unknown: ['free.strict.b'],
      object: { free: { more: { deep: [{ b: 1 }] }, strict: { a: 'x' } } },
    });
  });

  test('keeps keys of maps, and empties objects in maps without a schema for their values', () => {
    const map: JsonSchema = { type: 'object', additionalProperties: true };
    assert.deepEqual(pruned({ map }, { map: { a: 1, b: { c: 1 }, d: [{ e: 1 }, 2] } }), {
      unknown: ['map.b.c', 'map.d[0].e'],
      object: { map: { a: 1, b: {}, d: [{}, 2] } },
    });
  });

  test('has no limit of depth', () => {
    let list: JsonValue = [{ a: 1 }, 2];
    for (let depth = 0; depth < 9_990; depth++) list = [list];
    const { unknown } = pruned(
      { map: { type: 'object', additionalProperties: true } },
      { map: { list, b: [{ c: 1 }] } },
    );
    assert.deepEqual(
      unknown.map((path) => path.slice(-8)),
      ['p.b[0].c', '[0][0].a'],
    );
  });

  test('removes nulls that are not allowed without reporting them, but not from lists', () => {
    const properties = {
      plain: string,
      nullable: { ...string, nullable: true },
      preset: { ...string, default: 'x' },
      list: { type: 'array', items: string },
      map: { type: 'object', additionalProperties: string },
    };
    const object = { plain: null, nullable: null, preset: null, list: [null], map: { a: null, b: 'x' } };
    assert.deepEqual(pruned(properties, object), {
      unknown: [],
      object: { nullable: null, preset: null, list: [null], map: { b: 'x' } },
    });
  });

  test('ignores inherited properties', () => {
    const object = JSON.parse('{"__proto__":{"a":1},"constructor":1}') as JsonObject;
    assert.deepEqual(pruned({}, object), { unknown: ['__proto__', 'constructor'], object: {} });
  });
});
