import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonFloat, type JsonObject, type JsonValue } from '../json/value.ts';
import { sampleTypes } from './sample-types.testing.ts';
import { untypedAtomic, type MergeType } from './merge-type.ts';
import { SchemaError } from './schema-error.ts';
import { validateTyped } from './validate-typed.ts';

function problemsOf(type: MergeType, value: JsonValue, allowDuplicates = false): string {
  try {
    validateTyped(type, value, { allowDuplicates });
    return '';
  } catch (error) {
    assert.ok(error instanceof SchemaError);
    return error.message;
  }
}

function configMapProblems(fields: JsonObject): string {
  return problemsOf(sampleTypes.configMap, { apiVersion: 'v1', kind: 'ConfigMap', ...fields });
}

function podProblems(spec: JsonObject, allowDuplicates = false): string {
  return problemsOf(sampleTypes.deployment, { spec: { template: { spec } } }, allowDuplicates);
}

test('accepts values of the type, and null everywhere', () => {
  assert.equal(configMapProblems({ data: { a: 'b', c: null }, immutable: null, binaryData: null }), '');
  assert.equal(
    podProblems({ containers: [{ name: 'a', args: null, resources: { limits: { cpu: 1, memory: '1Gi' } } }] }),
    '',
  );
});

test('reports an undeclared field', () => {
  assert.equal(configMapProblems({ foo: 1 }), '.foo: field not declared in schema');
});

test('stops at an undeclared field, but checks other values', () => {
  assert.equal(
    configMapProblems({ metadata: { foo: 1, labels: 1 }, immutable: 'x' }),
    ['errors:', '  .metadata.foo: field not declared in schema', '  .immutable: expected boolean, got &{x}'].join('\n'),
  );
});

test('prints wrong values as Go does', () => {
  const data = {
    a: 1000000.5,
    b: 1000000,
    c: 1e30,
    d: 0.00001,
    e: new JsonFloat(1),
    f: 2n ** 62n,
    g: true,
    i: [null, new JsonFloat(1), true],
    j: { y: ['a', 1.5], x: 1 },
  };
  assert.equal(
    configMapProblems({ data }),
    [
      'errors:',
      '  .data.a: expected string, got &value.valueUnstructured{Value:1.0000005e+06}',
      '  .data.b: expected string, got &value.valueUnstructured{Value:1000000}',
      '  .data.c: expected string, got &value.valueUnstructured{Value:1e+30}',
      '  .data.d: expected string, got &value.valueUnstructured{Value:1e-05}',
      '  .data.e: expected string, got &value.valueUnstructured{Value:1}',
      '  .data.f: expected string, got &value.valueUnstructured{Value:4611686018427387904}',
      '  .data.g: expected string, got &value.valueUnstructured{Value:true}',
      '  .data.i: expected string, got &value.valueUnstructured{Value:[]interface {}{interface {}(nil), 1, true}}',
      '  .data.j: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"x":1, "y":[]interface {}{"a", 1.5}}}',
    ].join('\n'),
  );
});

test('lists the expected tokens', () => {
  const deployment = {
    metadata: { labels: 'x' },
    spec: { replicas: 'x', template: { spec: { containers: { a: [1, 'b'] } } } },
  };
  assert.equal(
    problemsOf(sampleTypes.deployment, deployment),
    [
      'errors:',
      '  .metadata.labels: expected map, got &{x}',
      '  .spec.replicas: expected numeric (int or float), got string',
      '  .spec.template.spec.containers: expected list, got &{map[a:[1 b]]}',
    ].join('\n'),
  );
  assert.equal(
    problemsOf(sampleTypes.deployment, { spec: { strategy: { rollingUpdate: { maxSurge: { a: null } } } } }),
    '.spec.strategy.rollingUpdate.maxSurge: expected any scalar, got &{map[a:<nil>]}',
  );
});

test('reports duplicate items, with default keys', () => {
  const containers = [{ name: 'web' }, { name: 'web' }, { ports: [{}, { protocol: 'TCP' }] }];
  assert.equal(
    podProblems({ containers }),
    [
      'errors:',
      '  .spec.template.spec.containers: duplicate entries for key [name="web"]',
      '  .spec.template.spec.containers[name=""].ports: duplicate entries for key [containerPort=0,protocol="TCP"]',
    ].join('\n'),
  );
  assert.equal(podProblems({ containers }, true), '');
});

test('refuses items without identity', () => {
  assert.equal(
    podProblems({ containers: [null] }),
    '.spec.template.spec.containers: element 0: associative list with keys may not have a null element',
  );
  assert.equal(
    podProblems({ volumes: ['a'] }),
    '.spec.template.spec.volumes: element 0: associative list with keys may not have non-map elements',
  );
  const finalizersProblem = (item: JsonValue): string => configMapProblems({ metadata: { finalizers: ['a', item] } });
  assert.equal(
    finalizersProblem(null),
    ".metadata.finalizers: element 1: associative list without keys has an element that's an explicit null",
  );
  assert.equal(
    finalizersProblem({}),
    ".metadata.finalizers: element 1: associative list without keys has an element that's a map type",
  );
  assert.equal(
    finalizersProblem([]),
    '.metadata.finalizers: element 1: not supported: associative list with lists as elements',
  );
});

test('requires a key field or its default', () => {
  const type: MergeType = {
    list: {
      relationship: 'associative',
      keys: ['a', 'b'],
      element: () => ({ map: { relationship: 'separable', field: () => undefined, element: () => untypedAtomic } }),
    },
  };
  assert.equal(problemsOf(type, [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }]), '');
  assert.equal(
    problemsOf(type, [{ c: 1 }]),
    `element 0: associative list with keys has an element that omits all key fields ["a" "b"] (and doesn't have default values for any key fields)`,
  );
});
