import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, ObjectMeta } from '@flotilla/kube';
import { NamespaceOwners } from './namespace-owners.ts';

const appliedWork = { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind: 'AppliedWork', name: 'w', uid: 'u' };

describe('the namespaces of a member', () => {
  test('have the name of the Work that owns them', () => {
    const owners = new NamespaceOwners();
    owners.changed(aNamespace('own'), undefined);
    owners.changed(
      aNamespace('placed', { ownerReferences: [{ ...appliedWork, kind: 'Other' }, appliedWork] }),
      undefined,
    );
    const version = 'placement.kubernetes-fleet.io/v1';
    owners.changed(aNamespace('odd', { ownerReferences: [{ ...appliedWork, apiVersion: version }] }), undefined);
    assert.deepEqual(owners.works(), { own: '', placed: 'w', odd: '' });
  });

  test('change with their owner, and are dropped when they terminate', () => {
    const owners = new NamespaceOwners();
    const free = aNamespace('a');
    owners.changed(free, undefined);
    const taken = aNamespace('a', { ownerReferences: [appliedWork] });
    owners.changed(taken, free);
    assert.deepEqual(owners.works(), { a: 'w' });
    owners.changed(aNamespace('a', { deletionTimestamp: '2026-01-01T00:00:00Z' }), taken);
    assert.deepEqual(owners.works(), {});
  });

  test('are limited to two hundred, and a deleted one makes room for the next', () => {
    const owners = new NamespaceOwners();
    for (let index = 0; index < 202; index++) owners.changed(aNamespace(`n${index}`), undefined);
    assert.equal(Object.keys(owners.works()).length, 200);
    assert.equal(owners.isOverLimit, true);
    owners.changed(undefined, aNamespace('n7'));
    assert.equal(Object.hasOwn(owners.works(), 'n200'), true);
    assert.equal(owners.isOverLimit, true);
    owners.changed(undefined, aNamespace('n201'));
    assert.equal(owners.isOverLimit, false);
  });
});

function aNamespace(name: string, metadata: ObjectMeta = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } };
}
