import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { sampleTypes } from './sample-types.testing.ts';
import { deduced } from './merge-type.ts';
import { mergeTyped } from './merge.ts';
import { SchemaError } from './schema-error.ts';

function mergedFinalizers(live: string, config: string): string {
  const object = (text: string): JsonObject => ({ metadata: { finalizers: text === '' ? [] : text.split(' ') } });
  const merged = mergeTyped(sampleTypes.configMap, object(live), object(config)) as {
    metadata: { finalizers: string[] };
  };
  return merged.metadata.finalizers.join(' ');
}

test('the configuration wins, other fields stay', () => {
  const live = { data: { a: '1', b: '2' }, immutable: false };
  assert.deepEqual(mergeTyped(sampleTypes.configMap, live, { data: { b: '3', c: '4' } }), {
    data: { a: '1', b: '3', c: '4' },
    immutable: false,
  });
});

test('shared items get the order of the configuration, others keep their place', () => {
  assert.equal(mergedFinalizers('a b c d e', 'd x b'), 'a c d e x b');
  assert.equal(mergedFinalizers('a b c', 'c n a'), 'b c n a');
  assert.equal(mergedFinalizers('a b', 'a b'), 'a b');
  assert.equal(mergedFinalizers('a b', 'b a'), 'b a');
  assert.equal(mergedFinalizers('a', 'n a m'), 'n a m');
  assert.equal(mergedFinalizers('', 'b a'), 'b a');
  assert.equal(mergedFinalizers('b a', ''), 'b a');
});

test('merges items by their keys', () => {
  const spec = (containers: JsonValue): JsonObject => ({ spec: { template: { spec: { containers } } } });
  const live = spec([
    { name: 'a', image: '1', args: ['x'] },
    { name: 'b', image: '1' },
  ]);
  assert.deepEqual(
    mergeTyped(sampleTypes.deployment, live, spec([{ name: 'a', image: '2', args: ['y'] }])),
    spec([
      { name: 'a', image: '2', args: ['y'] },
      { name: 'b', image: '1' },
    ]),
  );
});

test('replaces duplicate live items', () => {
  const env = (...values: string[]): JsonObject => ({
    spec: { template: { spec: { containers: [{ name: 'c', env: values.map((value) => ({ name: 'A', value })) }] } } },
  });
  assert.deepEqual(mergeTyped(sampleTypes.deployment, env('1', '2'), env('3')), env('3'));
  assert.throws(() => mergeTyped(sampleTypes.deployment, env('1'), env('2', '3')), SchemaError);
});

test('null replaces a scalar, but does not empty a map', () => {
  assert.deepEqual(mergeTyped(deduced, { a: 1, b: { c: 1 } }, { a: null, b: null }), { a: null, b: { c: 1 } });
  assert.deepEqual(mergeTyped(deduced, { a: {} }, { a: null }), { a: null });
});

test('shares nothing with its inputs and does not modify them', () => {
  const live = { metadata: { labels: { a: '1' } }, data: { a: '1' } };
  const config = { metadata: { ownerReferences: [{ uid: 'u', name: 'n' }] } };
  const before = structuredClone({ live, config });
  const merged = mergeTyped(sampleTypes.configMap, live, config) as {
    metadata: { labels: JsonObject; ownerReferences: JsonObject[] };
    data: JsonObject;
  };
  merged.data['a'] = 'changed';
  merged.metadata.labels['a'] = 'changed';
  (merged.metadata.ownerReferences[0] as JsonObject)['name'] = 'changed';
  assert.deepEqual({ live, config }, before);
});

test('merges keys named like properties of Object', () => {
  const live = JSON.parse('{"data":{"__proto__":"1"}}') as JsonObject;
  const config = JSON.parse('{"data":{"constructor":"2"}}') as JsonObject;
  assert.equal(
    JSON.stringify(mergeTyped(sampleTypes.configMap, live, config)),
    '{"data":{"__proto__":"1","constructor":"2"}}',
  );
});
