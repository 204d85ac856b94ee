import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts';
import { deduced } from './merge-type.ts';
import { removeItems, withNamedFields } from './prune-fields.ts';
import { sampleTypes } from './sample-types.testing.ts';

function without(object: JsonObject, fields: JsonObject): JsonValue {
  return removeItems(sampleTypes.deployment, object, fromFieldsV1(fields));
}

test('removes entries and items', () => {
  const object = { metadata: { labels: { a: '1', b: '2' }, finalizers: ['x', 'y'] }, spec: { replicas: 1 } };
  const fields = { 'f:metadata': { 'f:labels': { 'f:a': {} }, 'f:finalizers': { 'v:"x"': {} } }, 'f:spec': {} };
  assert.deepEqual(without(object, fields), { metadata: { labels: { b: '2' }, finalizers: ['y'] } });
});

test('a container that loses everything becomes null', () => {
  assert.deepEqual(without({ metadata: { labels: { a: '1' } } }, { 'f:metadata': { 'f:labels': { 'f:a': {} } } }), {
    metadata: { labels: null },
  });
  assert.equal(without({ kind: 'x' }, { 'f:kind': {} }), null);
});

test('compares items by key', () => {
  const pod = (containers: JsonValue): JsonObject => ({ spec: { template: { spec: { containers } } } });
  const fields = {
    'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { 'f:image': {} } } } } },
  };
  const [a, b] = [
    { name: 'a', image: '1' },
    { name: 'b', image: '1' },
  ];
  assert.deepEqual(without(pod([a, b]), fields), pod([{ name: 'a' }, b]));
});

test('removes and keeps keys named like properties of Object', () => {
  const object = JSON.parse('{"__proto__":1,"constructor":2,"a":3}') as JsonObject;
  assert.equal(
    JSON.stringify(removeItems(deduced, object, fromFieldsV1({ 'f:a': {} }))),
    '{"__proto__":1,"constructor":2}',
  );
  assert.equal(
    JSON.stringify(removeItems(deduced, object, fromFieldsV1({ 'f:__proto__': {} }))),
    '{"constructor":2,"a":3}',
  );
});

test('a declared field is removed with its content, a map entry is not', () => {
  const fields = { 'f:spec': { 'f:template': { 'f:metadata': { 'f:labels': { 'f:a': {} } } } } };
  assert.deepEqual(toFieldsV1(withNamedFields(sampleTypes.deployment, fromFieldsV1(fields))), {
    'f:spec': { '.': {}, 'f:template': { '.': {}, 'f:metadata': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} } } } },
  });
  const entries = { 'f:a': { 'f:b': {} } };
  assert.deepEqual(toFieldsV1(withNamedFields(deduced, fromFieldsV1(entries))), entries);
});
