import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { publishedListSchema, publishedSchema, type OpenApiForm } from './published-schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function property(schema: JsonSchema, form: OpenApiForm): unknown {
  const published = publishedSchema({ type: 'object', properties: { x: schema } }, form);
  return (published['properties'] as JsonObject)['x'];
}

describe('the published schema of a custom resource', () => {
  test('has the fields of every object, whatever the definition says', () => {
    const published = publishedSchema({ type: 'object', properties: { metadata: { type: 'object' } } }, 'v3');
    const { apiVersion, kind, metadata } = published['properties'] as Record<string, JsonObject>;
    assert.equal(apiVersion?.['type'], 'string');
    assert.equal(kind?.['type'], 'string');
    assert.deepEqual(metadata?.['allOf'], [{ $ref: `#/components/schemas/${meta}.ObjectMeta` }]);
  });

  test('refers to metadata directly in version 2', () => {
    const published = publishedSchema({ type: 'object' }, 'v2');
    const { metadata } = published['properties'] as Record<string, JsonObject>;
    assert.equal(metadata?.['$ref'], `#/definitions/${meta}.ObjectMeta`);
  });

  test('is any object if the definition has no schema', () => {
    assert.deepEqual(publishedSchema(undefined, 'v3'), { type: 'object' });
  });

  test('lists no fields in version 2 if unknown ones are preserved', () => {
    const open: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {} };
    assert.deepEqual(publishedSchema(open, 'v2'), { type: 'object' });
    assert.equal(publishedSchema(open, 'v3')['x-kubernetes-preserve-unknown-fields'], true);
  });

  test('keeps a property called __proto__ as a property', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"}}') as Record<string, JsonSchema>;
    for (const form of ['v2', 'v3'] as const) {
      const published = publishedSchema({ type: 'object', properties }, form);
      assert.ok(Object.hasOwn(published['properties'] as JsonObject, '__proto__'), form);
    }
  });
});

describe('a property', () => {
  test('that is an int-or-string says so in version 3', () => {
    const both = [{ type: 'integer' }, { type: 'string' }];
    const schema: JsonSchema = { 'x-kubernetes-int-or-string': true };
    assert.deepEqual(property(schema, 'v3'), { ...schema, anyOf: both });
    assert.deepEqual(property({ ...schema, anyOf: both }, 'v3'), { ...schema, anyOf: both });
    assert.deepEqual(property({ ...schema, allOf: [{ anyOf: both }] }, 'v3'), { ...schema, allOf: [{ anyOf: both }] });
    assert.deepEqual(property({ ...schema, anyOf: [{ minimum: 1 }] }, 'v3'), {
      ...schema,
      anyOf: [{ minimum: 1 }],
      allOf: [{ anyOf: both }],
    });
    assert.deepEqual(property(schema, 'v2'), schema);
  });

  test('that is an embedded resource requires kind and apiVersion', () => {
    const embedded = property({ type: 'object', 'x-kubernetes-embedded-resource': true, properties: {} }, 'v3');
    assert.deepEqual((embedded as JsonObject)['required'], ['kind', 'apiVersion']);
    assert.deepEqual(Object.keys((embedded as JsonObject)['properties'] as JsonObject), [
      'apiVersion',
      'kind',
      'metadata',
    ]);
  });

  test('that holds any object stays open in version 2', () => {
    const open: JsonSchema = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const { type: _type, ...untyped } = open;
    assert.deepEqual(property(open, 'v2'), untyped);
  });

  test('loses junctors and its default in version 2', () => {
    const schema: JsonSchema = { type: 'string', default: 'a', anyOf: [{ maxLength: 1 }], not: { pattern: 'b' } };
    assert.deepEqual(property(schema, 'v2'), { type: 'string' });
    assert.deepEqual(property(schema, 'v3'), schema);
  });

  test('that is nullable has no type in version 2, and is not required', () => {
    const nullable: JsonSchema = { type: 'array', nullable: true, items: { type: 'string' }, minItems: 1 };
    assert.deepEqual(property(nullable, 'v2'), { minItems: 1 });
    const parent = property({ type: 'object', required: ['a', 'b'], properties: { a: nullable, b: {} } }, 'v2');
    assert.deepEqual((parent as JsonObject)['required'], ['b']);
  });

  test('that is a map of nullable values is open', () => {
    const map: JsonSchema = { type: 'object', additionalProperties: { type: 'string', nullable: true } };
    assert.deepEqual(property(map, 'v2'), { type: 'object', additionalProperties: {} });
    assert.deepEqual(property({ type: 'object', additionalProperties: true }, 'v3'), {
      type: 'object',
      additionalProperties: true,
    });
  });
});

test('the schema of a list refers to that of its items', () => {
  const names = { model: 'com.example.v1.Ship', kind: 'Ship', listKind: 'ShipList', plural: 'ships' };
  const list = publishedListSchema(names, 'v3');
  const { items } = list['properties'] as Record<string, JsonObject>;
  assert.deepEqual(items?.['items'], { $ref: '#/components/schemas/com.example.v1.Ship' });
});
