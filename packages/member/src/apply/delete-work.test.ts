import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AppliedWork, Work } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { decideDeletion, unblockedObject, withoutFinalizer } from './delete-work.ts';
import { placeOf } from './manifest/identifier.ts';
import { decideFarewell } from './round/left-overs.ts';

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
  test('has nothing to do for a Work that does not wait for us', () => {
    assert.deepEqual(decideDeletion(aWork([]), anAppliedWork(), now, limits), { do: 'nothing' });
  });

  test('lets a Work go when nothing of it is on the member', () => {
    assert.deepEqual(decideDeletion(aWork(), undefined, now, limits), { do: 'release' });
  });

  test('removes what it owns first, unless that is to be abandoned', () => {
    const abandoned = aWork([finalizer], { 'kubernetes-fleet.io/delete-propagation': 'Abandon' });
    const foreground = { do: 'delete', propagationPolicy: 'Foreground' };
    assert.deepEqual(decideDeletion(aWork(), anAppliedWork(), now, limits), foreground);
    assert.deepEqual(decideDeletion(abandoned, anAppliedWork(), now, limits), {
      ...foreground,
      propagationPolicy: 'Orphan',
    });
  });

  test('waits for the end, and helps when that does not come', () => {
    const begun = (time: string) => decideDeletion(aWork(), anAppliedWork(time), now, limits);
    assert.deepEqual(begun('2026-01-01T00:06:00Z'), { do: 'wait', forMs: 60_000 });
    assert.deepEqual(begun('2026-01-01T00:05:00Z'), { do: 'unblock' });
  });
});

describe('withoutFinalizer', () => {
  test("leaves others' finalizers", () => {
    assert.deepEqual(withoutFinalizer(aWork(['a', finalizer, 'b'])).metadata.finalizers, ['a', 'b']);
  });
});

describe('unblockedObject', () => {
  const blocking = { ...owner, blockOwnerDeletion: true };

  test('lets our AppliedWork go without an object that others own too', () => {
    const object = unblockedObject(owned([stranger, blocking]), owner);
    assert.deepEqual(object?.metadata.ownerReferences, [stranger, { ...owner, blockOwnerDeletion: false }]);
  });

  test('leaves alone what is ours alone, what is not ours, what blocks nothing, and what is gone', () => {
    assert.equal(unblockedObject(owned([blocking]), owner), undefined);
    assert.equal(unblockedObject(owned([stranger, { ...blocking, uid: 'other' }]), owner), undefined);
    assert.equal(unblockedObject(owned([stranger, owner]), owner), undefined);
    assert.equal(unblockedObject(undefined, owner), undefined);
  });
});

describe('decideFarewell', () => {
  test('deletes what is ours alone, by its uid', () => {
    assert.deepEqual(decideFarewell(owned([owner]), owner), { do: 'delete', uid: '1' });
  });

  test('leaves to others what they own too', () => {
    const farewell = decideFarewell(owned([owner, stranger]), owner);
    assert.ok(farewell.do === 'disown');
    assert.deepEqual(farewell.object.metadata.ownerReferences, [stranger]);
  });

  test('does nothing about what is not ours, or goes already', () => {
    assert.deepEqual(decideFarewell(owned([stranger]), owner), { do: 'nothing' });
    const going = owned([owner], { deletionTimestamp: '2026-01-01T00:00:00Z' });
    assert.deepEqual(decideFarewell(going, owner), { do: 'nothing' });
  });
});

describe('placeOf', () => {
  const identifier = {
    ordinal: 0,
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    resource: 'deployments',
    name: 'a',
  };

  test('finds an object by what a status says of it', () => {
    assert.deepEqual(placeOf({ ...identifier, namespace: 'apps' })?.key, { namespace: 'apps', name: 'a' });
    assert.equal(placeOf(identifier)?.kind.namespaced, false);
  });

  test('does not follow a status that leads elsewhere', () => {
    assert.equal(placeOf({ ...identifier, resource: '../secrets' }), undefined);
    assert.equal(placeOf({ ...identifier, namespace: '..' }), undefined);
    assert.equal(placeOf({ ...identifier, name: 'a%2fb' }), undefined);
    assert.equal(placeOf({ ordinal: 0 }), undefined);
  });
});
