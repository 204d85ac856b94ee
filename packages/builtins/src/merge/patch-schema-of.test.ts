import assert from 'node:assert/strict';
import { test } from 'node:test';
import { structType } from '../table/type-table.ts';
import { patchSchemaOf } from './patch-schema-of.ts';

const podSpec = patchSchemaOf(structType('core/v1', 'PodSpec'));

test('lists merge by the key that the type declares', () => {
  const containers = podSpec.field('containers');
  assert.deepEqual(containers?.strategies, ['merge']);
  assert.equal(containers.mergeKey, 'name');
  assert.equal(containers.schema?.name, 'Container');
  assert.equal(containers.schema?.field('ports')?.mergeKey, 'containerPort');
  assert.deepEqual(podSpec.field('volumes')?.strategies, ['merge', 'retainKeys']);
});

test('inlined fields are fields of their owner', () => {
  assert.equal(podSpec.field('volumes')?.schema?.field('emptyDir')?.schema?.name, 'EmptyDirVolumeSource');
});

test('fields that a type does not have are unknown, whatever their name', () => {
  assert.equal(podSpec.field('__proto__'), undefined);
  assert.equal(podSpec.field('Containers'), undefined);
});

test('maps have no schema, untyped JSON has one without fields', () => {
  assert.equal(podSpec.field('nodeSelector')?.schema, undefined);
  const data = patchSchemaOf(structType('apps/v1', 'ControllerRevision')).field('data');
  assert.equal(data?.schema?.name, 'RawExtension');
  assert.equal(data?.schema?.field('x'), undefined);
});
