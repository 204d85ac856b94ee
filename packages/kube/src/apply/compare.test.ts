import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { JsonFloat, type JsonObject, type JsonValue } from '../json/value.ts';
import { compareTyped } from './compare.ts';
import { pathsOf, type FieldSet } from './field-set.ts';
import { sampleTypes } from './sample-types.testing.ts';
import { deduced, untypedAtomic, type MergeType } from './merge-type.ts';
import { pathText } from './path-element.ts';
import { SchemaError } from './schema-error.ts';

function changes(type: MergeType, before: JsonValue, after: JsonValue): Record<string, string[]> {
  const { removed, modified, added } = compareTyped(type, before, after);
  const entries = Object.entries({ removed, modified, added }).filter(([, set]) => set.length > 0);
  return Object.fromEntries(
    entries.map(([name, set]: [string, FieldSet]) => [name, Array.from(pathsOf(set), pathText)]),
  );
}

function podChanges(before: JsonObject, after: JsonObject): Record<string, string[]> {
  const spec = (pod: JsonObject): JsonObject => ({ spec: { template: { spec: pod } } });
  const prefix = '.spec.template.spec';
  const entries = Object.entries(changes(sampleTypes.deployment, spec(before), spec(after)));
  return Object.fromEntries(entries.map(([name, paths]) => [name, paths.map((path) => path.slice(prefix.length))]));
}

test('finds added, removed and modified fields', () => {
  assert.deepEqual(changes(sampleTypes.configMap, { data: { a: '1', b: '2' } }, { data: { a: '1', b: '3', c: '4' } }), {
    modified: ['.data.b'],
    added: ['.data.c'],
  });
  assert.deepEqual(changes(sampleTypes.configMap, { data: { a: '1' } }, {}), { removed: ['.data', '.data.a'] });
});

test('reports added containers with their content', () => {
  assert.deepEqual(podChanges({}, { containers: [{ name: 'a', ports: [{ containerPort: 1 }] }] }), {
    added: [
      '.containers',
      '.containers[name="a"]',
      '.containers[name="a"].name',
      '.containers[name="a"].ports',
      '.containers[name="a"].ports[containerPort=1,protocol="TCP"]',
      '.containers[name="a"].ports[containerPort=1,protocol="TCP"].containerPort',
    ],
  });
});

test('does not report a container that was empty before', () => {
  assert.deepEqual(podChanges({ containers: null }, { containers: [{ name: 'a' }] }), {
    added: ['.containers[name="a"]', '.containers[name="a"].name'],
  });
  assert.deepEqual(podChanges({ securityContext: {} }, { securityContext: { runAsUser: 1 } }), {
    added: ['.securityContext.runAsUser'],
  });
});

test('distinguishes null and empty', () => {
  assert.deepEqual(changes(sampleTypes.configMap, { data: null }, { data: {} }), { modified: ['.data'] });
  assert.deepEqual(podChanges({ containers: [] }, { containers: null }), { modified: ['.containers'] });
});

test('compares atomic lists and maps as a whole', () => {
  assert.deepEqual(
    podChanges(
      { nodeSelector: { a: '1' }, tolerations: [{ key: 'a' }] },
      { nodeSelector: { a: '2' }, tolerations: [{ key: 'a' }, { key: 'b' }] },
    ),
    {
      modified: ['.nodeSelector', '.tolerations'],
    },
  );
});

test('matches items by key at any index', () => {
  const [a, b] = [
    { name: 'a', image: '1' },
    { name: 'b', image: '1' },
  ];
  assert.deepEqual(podChanges({ containers: [a, b] }, { containers: [{ ...b, image: '2' }, a] }), {
    modified: ['.containers[name="b"].image'],
  });
});

test('owns duplicate items as one', () => {
  const env = (...values: string[]): JsonObject => ({
    containers: [{ name: 'c', env: values.map((value) => ({ name: 'A', value })) }],
  });
  const item = '.containers[name="c"].env[name="A"]';
  assert.deepEqual(podChanges(env('1', '2'), env('1', '2')), {});
  assert.deepEqual(podChanges(env('1', '2'), env('1', '3')), { modified: [item] });
  assert.deepEqual(podChanges(env('1'), env('1', '2')), {
    removed: [item, `${item}.name`, `${item}.value`],
    added: [item],
  });
  assert.deepEqual(podChanges(env('1', '2'), env('1')), {
    removed: [item],
    added: [item, `${item}.name`, `${item}.value`],
  });
  assert.deepEqual(podChanges(env('1', '2'), { containers: [{ name: 'c', env: [{ name: 'B' }] }] }), {
    removed: [item],
    added: ['.containers[name="c"].env[name="B"]', '.containers[name="c"].env[name="B"].name'],
  });
});

test('reads JSON without a schema field by field, lists as a whole', () => {
  assert.deepEqual(changes(deduced, { a: { b: 1, l: [1] } }, { a: { b: 2, l: [1, 2] } }), {
    modified: ['.a.b', '.a.l'],
  });
  assert.deepEqual(changes(deduced, { a: 1 }, { a: { b: 1 } }), { modified: ['.a'], added: ['.a.b'] });
  assert.deepEqual(changes(deduced, { a: { b: 1 } }, { a: [1] }), { modified: ['.a'], removed: ['.a.b'] });
  assert.deepEqual(changes(deduced, { a: null }, { a: 1 }), { modified: ['.a'] });
  assert.deepEqual(changes(deduced, { a: { b: 1 } }, { a: null }), { removed: ['.a.b'] });
});

test('compares numbers by value and int64 exactly', () => {
  const of = (value: JsonValue): JsonObject => ({ spec: { replicas: value } });
  assert.deepEqual(changes(sampleTypes.deployment, of(1), of(new JsonFloat(1))), {});
  assert.deepEqual(changes(sampleTypes.deployment, of(2n ** 60n), of(2n ** 60n + 1n)), {
    modified: ['.spec.replicas'],
  });
});

test('keys named like properties of Object are ordinary keys', () => {
  const before = JSON.parse('{"data":{"x":"1"}}') as JsonObject;
  const after = JSON.parse('{"data":{"x":"1","__proto__":"2","constructor":"3"}}') as JsonObject;
  assert.deepEqual(changes(sampleTypes.configMap, before, after), { added: ['.data.__proto__', '.data.constructor'] });
  assert.deepEqual(changes(sampleTypes.configMap, after, before), {
    removed: ['.data.__proto__', '.data.constructor'],
  });
});

test('fails if items have no identity', () => {
  assert.throws(() => podChanges({}, { containers: ['x'] }), SchemaError);
});

test('a value equals itself, and a reversed comparison swaps added and removed', () => {
  const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  for (const type of [deduced, untypedAtomic]) {
    fc.assert(
      fc.property(json, json, (a, b) => {
        assert.deepEqual(changes(type, { a }, structuredClone({ a })), {});
        const there = compareTyped(type, { a }, { a: b });
        const back = compareTyped(type, { a: b }, { a });
        assert.deepEqual(there, { ...back, removed: back.added, added: back.removed });
      }),
    );
  }
});
