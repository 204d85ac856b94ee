import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import {
  isOwnedBy,
  isOwnedByAnotherWork,
  isSameOwner,
  ownerReferenceTo,
  ownersOf,
  withoutOwner,
  withoutStaleOwners,
  withOwner,
} from './owners.ts';

const ours = ownerReferenceTo({
  apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
  kind: 'AppliedWork',
  metadata: { name: 'work', uid: 'u1' },
  spec: { workName: 'work', workNamespace: 'fleet-member-paris' },
});
const another: OwnerReference = { ...ours, name: 'other-work', uid: 'u2' };
const stranger: OwnerReference = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u3' };

const owned = (...ownerReferences: OwnerReference[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', ownerReferences },
});

describe('the owner of an applied object', () => {
  test('is the AppliedWork, with blockOwnerDeletion and without controller', () => {
    assert.deepEqual(ours, {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'AppliedWork',
      name: 'work',
      uid: 'u1',
      blockOwnerDeletion: true,
    });
  });

  test('is recognised by uid, name, kind and version, whatever its flags', () => {
    assert.equal(isSameOwner(ours, { ...ours, blockOwnerDeletion: false, controller: true }), true);
    for (const field of ['uid', 'name', 'kind', 'apiVersion']) {
      assert.equal(isSameOwner(ours, { ...ours, [field]: 'x' }), false, field);
    }
  });

  test('is added after other owners, and removed without them', () => {
    const object = withOwner(owned(stranger), ours);
    assert.deepEqual(ownersOf(object), [stranger, ours]);
    assert.equal(isOwnedBy(object, ours), true);
    assert.deepEqual(ownersOf(withoutOwner(object, ours)), [stranger]);
  });

  test('is none if the list is invalid', () => {
    const odd = { apiVersion: 'v1', kind: 'X', metadata: { ownerReferences: ['x'] } } as unknown as KubeObject;
    assert.deepEqual(ownersOf(odd), []);
    assert.deepEqual(ownersOf({ apiVersion: 'v1', kind: 'X', metadata: {} }), []);
  });
});

test('an object is owned by another Work if it has an owner AppliedWork with another uid', () => {
  assert.equal(isOwnedByAnotherWork([stranger, ours], ours), false);
  assert.equal(isOwnedByAnotherWork([ours, another], ours), true);
  assert.equal(isOwnedByAnotherWork([{ ...another, apiVersion: 'v1' }], ours), false);
});

describe('owners that an earlier membership left behind', () => {
  const dropping = (owners: readonly OwnerReference[]) => withoutStaleOwners(owners, (name) => name === 'work');

  test('are dropped if the hub has no Work of their name, whatever their uid', () => {
    assert.deepEqual(dropping([stranger, another, { ...ours, uid: 'old' }]), [stranger, { ...ours, uid: 'old' }]);
  });

  test('are recognised by apiVersion or kind', () => {
    assert.deepEqual(dropping([{ ...another, kind: 'Work' }]), []);
    assert.deepEqual(dropping([{ ...another, apiVersion: 'v1' }]), []);
  });
});
