import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInlined } from './struct-type.ts';
import { kindsOf, knownApiVersions, structType, typeOfKind } from './type-table.ts';

test('finds kinds in every published version, served or not', () => {
  assert.equal(typeOfKind({ group: 'apps', version: 'v1', kind: 'Deployment' })?.goName, 'v1.Deployment');
  assert.equal(typeOfKind({ group: 'apps', version: 'v1beta2', kind: 'Deployment' })?.goName, 'v1beta2.Deployment');
  assert.equal(typeOfKind({ group: '', version: 'v1', kind: 'Deployment' }), undefined);
  assert.equal(typeOfKind({ group: '', version: 'v1', kind: '__proto__' }), undefined);
});

test('does not find types that are not kinds', () => {
  assert.equal(typeOfKind({ group: '', version: 'v1', kind: 'PodSpec' }), undefined);
  assert.equal(structType('core/v1', 'PodSpec').isKind, false);
});

test('meta kinds exist in every group', () => {
  const type = structType('meta/v1', 'DeleteOptions');
  assert.equal(typeOfKind({ group: 'apps', version: 'v1', kind: 'DeleteOptions' }), type);
  assert.equal(typeOfKind({ group: 'example.com', version: 'v1', kind: 'DeleteOptions' }), type);
});

test('fields come in struct order, those of inlined structs in place', () => {
  const volume = structType('core/v1', 'Volume');
  assert.deepEqual(
    volume.fields.slice(0, 3).map(({ name }) => name),
    ['name', 'hostPath', 'emptyDir'],
  );
  assert.equal(volume.fields[1]?.goPath, 'VolumeSource.hostPath');
  assert.deepEqual(volume.members.map(isInlined), [false, true]);
});

test('a field has the properties of its tags and markers', () => {
  const ports = structType('core/v1', 'Container').fields.find(({ name }) => name === 'ports');
  assert.equal(ports?.number, 6);
  assert.equal(ports.goName, 'Ports');
  assert.equal(ports.type.goName, '[]v1.ContainerPort');
  assert.equal(ports.omitEmpty, true);
  assert.equal(ports.isRequired, false);
  assert.equal(ports.listType, 'map');
  assert.deepEqual(ports.listMapKeys, ['containerPort', 'protocol']);
  assert.deepEqual(ports.patchStrategies, ['merge']);
  assert.equal(ports.patchMergeKey, 'containerPort');
  const protocol = structType('core/v1', 'ContainerPort').fields.find(({ name }) => name === 'protocol');
  assert.equal(protocol?.default, 'TCP');
  assert.equal(protocol.type.goName, 'v1.Protocol');
});

test('a field has its name in Go', () => {
  const goNames = (type: string) => structType('core/v1', type).fields.map(({ name, goName }) => [name, goName]);
  assert.deepEqual(goNames('PodTemplateSpec'), [
    ['metadata', 'ObjectMeta'],
    ['spec', 'Spec'],
  ]);
  assert.deepEqual(goNames('HostAlias'), [
    ['ip', 'IP'],
    ['hostnames', 'Hostnames'],
  ]);
});

test('every type of every kind can be read', () => {
  const seen = new Set<unknown>();
  const pending = knownApiVersions().flatMap((apiVersion) =>
    kindsOf(apiVersion).map((kind) => {
      const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
      return typeOfKind({ group, version, kind });
    }),
  );
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    for (const field of type.fields) if (field.type.kind === 'struct') pending.push(field.type);
  }
  assert.ok(seen.size > 500, `${seen.size} structs`);
});
