import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, ManagedFieldsEntry } from '@flotilla/kube';
import { keptOwners } from './kept-owners.ts';

const cleanup = 'v:"kubernetes-fleet.io/work-cleanup"';
const finalizer: JsonObject = { 'f:metadata': { 'f:finalizers': { '.': {}, [cleanup]: {} } } };
const spec: JsonObject = { 'f:spec': { 'f:workload': {} } };

function entry(manager: string, fieldsV1: JsonObject, subresource?: string): ManagedFieldsEntry {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    fieldsV1,
    ...(subresource !== undefined && { subresource }),
  };
}

const hub = entry('hub', spec);
const agent = entry('agent', finalizer);

describe('after a member wrote a Work', () => {
  test('the member manages its finalizer while that exists', () => {
    assert.equal(keptOwners([hub], [hub, agent], ''), undefined);
    assert.equal(keptOwners([hub, agent], [hub, agent], ''), undefined);
    assert.equal(keptOwners([hub, agent], [hub], ''), undefined);
  });

  test('other managers keep their fields', () => {
    assert.deepEqual(keptOwners([hub], [], ''), [hub]);
    assert.deepEqual(keptOwners([hub], [agent], ''), [agent, hub]);
    assert.deepEqual(keptOwners([hub], [entry('hub', finalizer)], ''), [hub]);
    assert.deepEqual(keptOwners([hub, agent], [hub, entry('agent', { ...spec, ...finalizer })], ''), [hub, agent]);
  });

  test('invented managers are dropped', () => {
    const claims = entry('thief', { ...spec, ...finalizer });
    assert.deepEqual(keptOwners([hub], [hub, claims], ''), [hub, entry('thief', finalizer)]);
    assert.deepEqual(keptOwners([hub], [hub, entry('thief', spec)], ''), [hub]);
    assert.deepEqual(keptOwners([hub], [hub, agent, entry('thief', finalizer)], ''), [hub]);
  });
});

describe('after a member wrote a status', () => {
  const status = entry('agent', { 'f:status': {} }, 'status');

  test('entries of the member for the status are accepted', () => {
    assert.equal(keptOwners([hub], [status, hub], 'status'), undefined);
    assert.equal(keptOwners([hub, status], [hub], 'status'), undefined);
  });

  test('all other entries are kept', () => {
    assert.deepEqual(keptOwners([hub, status], [status], 'status'), [status, hub]);
    assert.deepEqual(keptOwners([hub], [hub, entry('thief', spec), status], 'status'), [hub, status]);
  });
});
