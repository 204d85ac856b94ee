import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AppliedWork, Work } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { decideDeletion, unblockedObject, withoutFinalizer } from './delete-work.ts';
import { objectRefOf } from './manifest/identifier.ts';
import { decideRemoval } from './round/left-overs.ts';

const now = new Date('2026-01-01T00:10:00Z');
const limits = { deletionWaitMs: 5 * 60_000 };
const finalizer = 'kubernetes-fleet.io/work-cleanup';

function aWork(finalizers: string[] = [finalizer], annotations: Record<string, string> = {}): Work {
  const metadata = { name: 'web', finalizers, annotations, deletionTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind: 'Work', metadata };
}

function anAppliedWork(deletionTimestamp?: string): AppliedWork {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'AppliedWork',
    metadata: { name: 'web', uid: 'ours', ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
    spec: { workName: 'web', workNamespace: 'fleet-member-paris' },
  };
}

const owner: OwnerReference = {
  apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
  kind: 'AppliedWork',
  name: 'web',
  uid: 'ours',
};
const stranger: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: 'theirs' };

function owned(ownerReferences: OwnerReference[], more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: '1', ownerReferences, ...more } };
}

describe('decideDeletion', () => {
  test('does nothing for a Work without the finalizer', () => {
    assert.deepEqual(decideDeletion(aWork([]), anAppliedWork(), now, limits), { do: 'nothing' });
  });

  test('releases a Work without an AppliedWork', () => {
    assert.deepEqual(decideDeletion(aWork(), undefined, now, limits), { do: 'release' });
  });

  test('deletes the AppliedWork in the foreground, or orphans its objects if abandoned', () => {
    const abandoned = aWork([finalizer], { 'kubernetes-fleet.io/delete-propagation': 'Abandon' });
    const foreground = { do: 'delete', propagationPolicy: 'Foreground' };
    assert.deepEqual(decideDeletion(aWork(), anAppliedWork(), now, limits), foreground);
    assert.deepEqual(decideDeletion(abandoned, anAppliedWork(), now, limits), {
      ...foreground,
      propagationPolicy: 'Orphan',
    });
  });

  test('waits for the deletion, and unblocks it after the limit', () => {
    const begun = (time: string) => decideDeletion(aWork(), anAppliedWork(time), now, limits);
    assert.deepEqual(begun('2026-01-01T00:06:00Z'), { do: 'wait', forMs: 60_000 });
    assert.deepEqual(begun('2026-01-01T00:05:00Z'), { do: 'unblock' });
  });
});

describe('withoutFinalizer', () => {
  test('keeps other finalizers', () => {
    assert.deepEqual(withoutFinalizer(aWork(['a', finalizer, 'b'])).metadata.finalizers, ['a', 'b']);
  });
});

describe('unblockedObject', () => {
  const blocking = { ...owner, blockOwnerDeletion: true };

  test('does not let an object with other owners block the deletion', () => {
    const object = unblockedObject(owned([stranger, blocking]), owner);
    assert.deepEqual(object?.metadata.ownerReferences, [stranger, { ...owner, blockOwnerDeletion: false }]);
  });

  test('returns undefined for objects with one owner, of other owners, that do not block, or are missing', () => {
    assert.equal(unblockedObject(owned([blocking]), owner), undefined);
    assert.equal(unblockedObject(owned([stranger, { ...blocking, uid: 'other' }]), owner), undefined);
    assert.equal(unblockedObject(owned([stranger, owner]), owner), undefined);
    assert.equal(unblockedObject(undefined, owner), undefined);
  });
});

describe('decideRemoval', () => {
  test('deletes an object without other owners, by uid', () => {
    assert.deepEqual(decideRemoval(owned([owner]), owner), { do: 'delete', uid: '1' });
  });

  test('removes only the owner reference from an object with other owners', () => {
    const removal = decideRemoval(owned([owner, stranger]), owner);
    assert.ok(removal.do === 'disown');
    assert.deepEqual(removal.object.metadata.ownerReferences, [stranger]);
  });

  test('does nothing for objects of other owners, or being deleted', () => {
    assert.deepEqual(decideRemoval(owned([stranger]), owner), { do: 'nothing' });
    const going = owned([owner], { deletionTimestamp: '2026-01-01T00:00:00Z' });
    assert.deepEqual(decideRemoval(going, owner), { do: 'nothing' });
  });
});

describe('objectRefOf', () => {
  const identifier = {
    ordinal: 0,
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    resource: 'deployments',
    name: 'a',
  };

  test('returns kind and key of a status entry', () => {
    assert.deepEqual(objectRefOf({ ...identifier, namespace: 'apps' })?.key, { namespace: 'apps', name: 'a' });
    assert.equal(objectRefOf(identifier)?.kind.namespaced, false);
  });

  test('returns undefined for entries that are no safe path', () => {
    assert.equal(objectRefOf({ ...identifier, resource: '../secrets' }), undefined);
    assert.equal(objectRefOf({ ...identifier, namespace: '..' }), undefined);
    assert.equal(objectRefOf({ ...identifier, name: 'a%2fb' }), undefined);
    assert.equal(objectRefOf({ ordinal: 0 }), undefined);
  });
});
