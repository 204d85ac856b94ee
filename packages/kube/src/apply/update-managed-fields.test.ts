import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import type { ManagedKind } from './managed-kind.ts';
import { deduced } from './merge-type.ts';
import { aConfigMap, deepFreeze, entry, secondsLater, startOfYear, stored } from './sample-objects.testing.ts';
import { sampleKinds } from './sample-types.testing.ts';
import { keepTimes, updateManagedFields } from './update-managed-fields.ts';

const kind = sampleKinds.ConfigMap;

function created(object: KubeObject, manager = 'maker'): ManagedFieldsEntry[] | undefined {
  return updateManagedFields({ kind, live: undefined, object, manager, now: startOfYear });
}

function updated(live: KubeObject, object: KubeObject, manager = 'editor'): ManagedFieldsEntry[] | undefined {
  return updateManagedFields({ kind, live, object, manager, now: secondsLater(5) });
}

test('the creator of an object owns its content, but not its identity', () => {
  assert.deepEqual(created(aConfigMap({ a: '1' }, { labels: { app: 'x' } })), [
    entry('maker', 'Update', {
      'f:data': { '.': {}, 'f:a': {} },
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
    }),
  ]);
});

test('objects of one shape have the same fields, whatever their values, and each its own manager', () => {
  const shapes: [KubeObject, KubeObject][] = [
    [aConfigMap({ a: '1', b: '' }), aConfigMap({ a: '2', b: '' })],
    [aConfigMap({ a: '1', b: '' }), aConfigMap({ a: '', b: '2' })],
    [aConfigMap({ a: '1' }, { labels: { 'b}': '1' } }), aConfigMap({ a: '1', 'b}': '1' })],
    [aConfigMap({ '1:a': 'x' }), aConfigMap({ a: 'x' })],
    [aConfigMap({}), aConfigMap({ a: '1' })],
    [aConfigMap({}, owned(1)), aConfigMap({}, owned(2))],
    [aConfigMap({}, owned(1, 2)), aConfigMap({}, owned(2, 1))],
    [aConfigMap({}, owned(2, 3)), aConfigMap({}, owned(2))],
    [aConfigMap({ [uid(1)]: '1' }, owned(1)), aConfigMap({ [uid(1)]: '1' }, owned(2))],
    [aConfigMap({}, { finalizers: ['a', 'b'] }), aConfigMap({}, { finalizers: ['a', 'c'] })],
    [aConfigMap({}, { finalizers: [] }), aConfigMap({}, { finalizers: ['v:"a"'] })],
    [aDeployment(['web'], uid(1)), aDeployment(['web'], uid(2))],
    [aDeployment(['web', 'log']), aDeployment(['log', 'web'])],
    [aDeployment([]), aDeployment(['web', 'web'])],
  ];
  for (const object of shapes.flat()) {
    const create = (endpoint: ManagedKind): ManagedFieldsEntry[] | undefined =>
      updateManagedFields({ kind: endpoint, live: undefined, object, manager: 'b', now: startOfYear });
    const known = object.kind === 'Deployment' ? sampleKinds.Deployment : kind;
    // Nothing is known of a type that is new.
    const fresh = create({ ...known, typeOf: (version) => ({ ...known.typeOf(version) }) });
    assert.deepEqual(create(known), fresh);
    assert.equal(JSON.stringify(create(known)), JSON.stringify(fresh));
  }
});

function uid(digit: number): string {
  return `00000000-0000-4000-8000-00000000000${digit}`;
}

function owned(...owners: readonly number[]): KubeObject['metadata'] {
  const ownerReferences = owners.map((owner) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: uid(owner) }));
  return { ownerReferences };
}

/** Its template has an owner, too. */
function aDeployment(containers: readonly string[], templateOwner = uid(1)): KubeObject {
  const metadata = { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: templateOwner }] };
  const ports = [{ containerPort: 80, protocol: 'TCP' }];
  const spec = { containers: containers.map((name) => ({ name, image: 'x', args: ['a'], ports })) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'default', ...owned(1) },
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template: { metadata, spec } },
  };
}

test('an empty object has no manager', () => {
  assert.equal(
    created({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } }),
    undefined,
  );
});

test('a client without a name is recorded as unknown', () => {
  assert.equal(created(aConfigMap({ a: '1' }), '')?.[0]?.manager, 'unknown');
});

test('reuses unchanged entries', () => {
  const mine = entry('mine', 'Apply', { 'f:data': { 'f:a': {} } });
  const live = stored(aConfigMap({ a: '1' }), [mine]);
  const after = updated(live, stored(aConfigMap({ a: '1', b: '2' })));
  assert.equal(after?.[0], mine);
  assert.deepEqual(
    after?.[1],
    entry('editor', 'Update', { 'f:data': { 'f:b': {} } }, { time: '2026-01-01T00:00:05Z' }),
  );
});

test('an object without managers stays unmanaged', () => {
  assert.equal(updated(stored(aConfigMap({ a: '1' })), stored(aConfigMap({ a: '2' }))), undefined);
});

test('ignores managedFields that a client sends to a subresource', () => {
  const live = stored(aConfigMap({ a: '1' }), created(aConfigMap({ a: '1' })));
  const object = stored(aConfigMap({ a: '1' }), []);
  const status = { ...kind, subresource: 'status' };
  assert.deepEqual(
    updateManagedFields({ kind: status, live, object, manager: 'm', now: startOfYear }),
    live.metadata.managedFields,
  );
});

test('ignores sent entries that are invalid in any way', () => {
  const live = stored(aConfigMap({ a: '1' }), created(aConfigMap({ a: '1' })));
  const unreadable: ManagedFieldsEntry[] = [
    entry('x', 'Update', {}, { operation: 'Delete' }),
    entry('x', 'Update', {}, { apiVersion: '' }),
    entry('x', 'Update', {}, { fieldsType: '' }),
    entry('x', 'Update', {}, { fieldsType: 'FieldsV2' }),
    entry('x', 'Update', { 'no colon': {} }),
    entry('x', 'Update', { 'f:data': 'text' }),
  ];
  for (const bad of unreadable) {
    assert.deepEqual(updated(live, stored(live, [bad])), live.metadata.managedFields, JSON.stringify(bad));
  }
});

test('drops fields of a version that is no longer served', () => {
  const old = entry('old', 'Update', { 'f:data': { 'f:a': {} } }, { apiVersion: 'v1beta1' });
  const live = stored(aConfigMap({ a: '1' }), [old, entry('new', 'Update', { 'f:data': { 'f:a': {} } })]);
  assert.deepEqual(
    updated(live, stored(aConfigMap({ a: '1' })))?.map(({ manager }) => manager),
    ['new'],
  );
});

test('fields inside a type that became atomic become the whole', () => {
  const before = entry(
    'm',
    'Update',
    { 'f:spec': { 'f:selector': { 'f:matchLabels': { 'f:a': {} } } } },
    { apiVersion: 'apps/v1' },
  );
  const deployment = (replicas: number): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { replicas, selector: { matchLabels: { a: 'b' } } },
  });
  const after = updateManagedFields({
    kind: sampleKinds.Deployment,
    live: stored(deployment(1), [before]),
    object: stored(deployment(2)),
    manager: 'm',
    now: startOfYear,
  });
  assert.deepEqual(after?.[0]?.fieldsV1, { 'f:spec': { 'f:replicas': {}, 'f:selector': {} } });
});

test('modifies neither the objects nor the entries', () => {
  const live = deepFreeze(stored(aConfigMap({ a: '1', b: '2' }), created(aConfigMap({ a: '1', b: '2' }))));
  const object = deepFreeze(stored(aConfigMap({ a: '3', c: '4' }), live.metadata.managedFields));
  assert.equal(updated(live, object)?.length, 2);
});

test('an object with ambiguous items gets no managers', () => {
  const broken = aConfigMap({}, { finalizers: [null as unknown as string] });
  assert.equal(created(broken), undefined);
});

test('handles objects and entries that are too deep for the stack', () => {
  const custom: ManagedKind = { apiVersion: 'v1', kind: 'Deep', blank: {}, typeOf: () => deduced };
  const deep = (key: string): JsonObject => {
    let value: JsonValue = {};
    for (let i = 0; i < 20_000; i++) value = { [key]: value };
    return value;
  };
  const object = { ...aConfigMap({}), spec: deep('a') };
  const update = { kind: custom, manager: 'm', now: startOfYear };
  assert.equal(updateManagedFields({ ...update, live: undefined, object }), undefined);
  const live = stored(aConfigMap({ a: '1' }), [entry('m', 'Update', { 'f:data': {} })]);
  const sent = stored(live, [entry('m', 'Update', deep('f:a'))]);
  assert.deepEqual(updateManagedFields({ ...update, live, object: sent }), live.metadata.managedFields);
});

test('keys named like properties of Object have owners', () => {
  const data = JSON.parse('{"__proto__":"1","constructor":"2"}') as Record<string, string>;
  assert.equal(
    JSON.stringify(created(aConfigMap(data))?.[0]?.fieldsV1),
    '{"f:data":{".":{},"f:__proto__":{},"f:constructor":{}}}',
  );
});

const fields = { 'f:data': { 'f:a': {} } };
const earlier = [entry('m', 'Update', fields)];
const later = [entry('m', 'Update', fields, { time: '2026-01-01T00:00:09Z' })];
const before = stored(aConfigMap({ a: '1' }), earlier);

test('keeps the old times if nothing else changed', () => {
  assert.equal(keepTimes(before, stored(before, later)), earlier);
});

test('uses the new times if the object changed', () => {
  assert.equal(keepTimes(before, stored(aConfigMap({ a: '2' }), later)), later);
});

test('uses the new times if owners changed', () => {
  const others = [entry('m', 'Update', {}, { time: '2026-01-01T00:00:09Z' })];
  assert.equal(keepTimes(before, stored(before, others)), others);
  const more = [...later, entry('n', 'Update', fields)];
  assert.equal(keepTimes(before, stored(before, more)), more);
});

test('drops managers that a client resets', () => {
  assert.equal(keepTimes(before, stored(before)), undefined);
});
