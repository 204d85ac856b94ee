import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deduced, untypedAtomic, type MergeType } from '@flotilla/kube';
import type { JsonSchema } from './json-schema.ts';
import { mergeTypeOf } from './merge-type.ts';
import { SchemaNode } from './schema-node.ts';

const metadata: MergeType = { map: { relationship: 'separable', field: () => undefined } };

function typeOf(property: JsonSchema): MergeType | undefined {
  const root = new SchemaNode({ type: 'object', properties: { x: property } });
  return mergeTypeOf(root, metadata).map?.field('x')?.type();
}

describe('the merge type of a schema', () => {
  test('has the fields of every resource', () => {
    const type = mergeTypeOf(new SchemaNode({ type: 'object', properties: { spec: { type: 'object' } } }), metadata);
    assert.deepEqual(type.map?.field('kind')?.type(), { scalar: 'string' });
    assert.equal(type.map?.field('metadata')?.type(), metadata);
    assert.equal(type.map?.element, undefined);
    assert.equal(type.map?.field('constructor'), undefined);
  });

  test('has scalars', () => {
    assert.deepEqual(typeOf({ type: 'integer' }), { scalar: 'numeric' });
    assert.deepEqual(typeOf({ type: 'number' }), { scalar: 'numeric' });
    assert.deepEqual(typeOf({ type: 'boolean' }), { scalar: 'boolean' });
    assert.deepEqual(typeOf({ type: 'string' }), { scalar: 'string' });
    assert.deepEqual(typeOf({ type: 'string', format: 'date-time' }), { scalar: 'untyped' });
  });

  test('is untyped where the schema has no type', () => {
    const type = typeOf({ 'x-kubernetes-int-or-string': true });
    assert.equal(type?.scalar, 'untyped');
    assert.equal(type.list?.element(), untypedAtomic);
    assert.equal(type.map?.element?.(), deduced);
  });

  test('has atomic lists, sets, and lists by key with the defaults of keys', () => {
    const items: JsonSchema = {
      type: 'object',
      properties: { port: { type: 'integer' }, p: { type: 'string', default: 'TCP' } },
    };
    assert.equal(typeOf({ type: 'array', items })?.list?.relationship, 'atomic');
    const set = typeOf({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' })?.list;
    assert.deepEqual([set?.relationship, set?.keys], ['associative', undefined]);
    const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'p'] };
    const map = typeOf({ type: 'array', items, ...keys })?.list;
    assert.deepEqual([map?.relationship, map?.keys], ['associative', ['port', 'p']]);
    assert.equal(map?.element().map?.field('p')?.default, 'TCP');
    assert.equal(map?.element().map?.field('port')?.default, undefined);
  });

  test('has maps and structs, atomic where marked', () => {
    const map = typeOf({ type: 'object', additionalProperties: { type: 'integer' } })?.map;
    assert.deepEqual(map?.element?.(), { scalar: 'numeric' });
    assert.equal(map?.relationship, 'separable');
    const atomic = typeOf({ type: 'object', properties: { a: {} }, 'x-kubernetes-map-type': 'atomic' })?.map;
    assert.equal(atomic?.relationship, 'atomic');
    assert.equal(atomic?.element, undefined);
  });

  test('accepts unknown fields where no others are declared, and below nodes that preserve them', () => {
    assert.equal(typeOf({ type: 'object' })?.map?.element?.(), deduced);
    const inner: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const kept = typeOf({ type: 'object', properties: { inner }, 'x-kubernetes-preserve-unknown-fields': true });
    assert.equal(kept?.map?.element?.(), deduced);
    assert.equal(kept?.map?.field('inner')?.type().map?.element?.(), deduced);
    assert.equal(typeOf(inner)?.map?.element, undefined);
  });

  test('has metadata in embedded resources', () => {
    const type = typeOf({ type: 'object', properties: { spec: {} }, 'x-kubernetes-embedded-resource': true });
    assert.equal(type?.map?.field('metadata')?.type(), metadata);
  });
});
