import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry } from '../object.ts';
import { entry } from './sample-objects.testing.ts';
import { fieldPath } from './path-element.ts';
import { parentEntriesOf, scaleEntriesOf, type ScaleParent } from './scale-fields.ts';

const parent: ScaleParent = {
  apiVersion: 'example.com/v2',
  replicasPath: (apiVersion) =>
    apiVersion === 'example.com/v2'
      ? fieldPath('spec', 'size', 'count')
      : apiVersion === 'example.com/v1'
        ? null
        : undefined,
};

const size = { 'f:spec': { 'f:size': { 'f:count': {} } } };
const replicas = { 'f:spec': { 'f:replicas': {} } };

function inV2(
  manager: string,
  operation: 'Apply' | 'Update',
  fields: ManagedFieldsEntry['fieldsV1'] = {},
): ManagedFieldsEntry {
  return entry(manager, operation, fields, { apiVersion: 'example.com/v2' });
}

test('a Scale shows the owners of replicas only', () => {
  const entries = [
    inV2('owner', 'Apply', { 'f:spec': { 'f:size': { 'f:count': {} }, 'f:other': {} } }),
    inV2('other', 'Update', { 'f:spec': { 'f:other': {} } }),
    entry('unscaled', 'Update', size, { apiVersion: 'example.com/v1' }),
    entry('gone', 'Update', size, { apiVersion: 'example.com/v0' }),
  ];
  assert.deepEqual(scaleEntriesOf(parent, entries), [
    entry('owner', 'Apply', replicas, { apiVersion: 'autoscaling/v1' }),
  ]);
});

test('a write to the Scale takes replicas from their owner', () => {
  const before = [inV2('owner', 'Apply', { 'f:spec': { 'f:size': { 'f:count': {} }, 'f:other': {} } })];
  const scaler = entry('scaler', 'Update', replicas, { apiVersion: 'autoscaling/v1', subresource: 'scale' });
  const { time: _, ...scaled } = { ...inV2('scaler', 'Update', size), subresource: 'scale' };
  assert.deepEqual(parentEntriesOf(parent, before, [scaler]), [
    inV2('owner', 'Apply', { 'f:spec': { 'f:other': {} } }),
    scaled,
  ]);
});

test('an applier that still owns replicas keeps its entry', () => {
  const before = [inV2('owner', 'Apply', size)];
  const shown = scaleEntriesOf(parent, before) ?? [];
  assert.deepEqual(parentEntriesOf(parent, before, shown), before);
});

test('keeps entries of versions without a scale, drops those of unknown versions', () => {
  const unscaled = entry('unscaled', 'Update', size, { apiVersion: 'example.com/v1' });
  const gone = entry('gone', 'Update', size, { apiVersion: 'example.com/v0' });
  assert.deepEqual(parentEntriesOf(parent, [unscaled, gone], []), [unscaled]);
});

test('drops a manager that owned only replicas', () => {
  assert.equal(parentEntriesOf(parent, [inV2('owner', 'Update', size)], []), undefined);
});
