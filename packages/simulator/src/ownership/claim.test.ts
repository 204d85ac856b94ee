import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelSelectorFrom, type KubeObject } from '@flotilla/kube';
import { kinds, type Pod } from '../kinds.ts';
import { claim, type Owner } from './claim.ts';

const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'owner', controller: true };

function pod(name: string, app: string, metadata: Partial<KubeObject['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '7', labels: { app }, ...metadata },
  };
}

function owner(deletionTimestamp?: string): Owner {
  const metadata = { name: 'web', namespace: 'shop', uid: 'owner', ...(deletionTimestamp && { deletionTimestamp }) };
  return {
    kind: kinds.replicaSet,
    object: { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata },
    selector: labelSelectorFrom({ matchLabels: { app: 'web' } }),
  };
}

const candidates = [
  pod('owned', 'web', { ownerReferences: [reference] }),
  pod('relabelled', 'other', { ownerReferences: [reference] }),
  pod('orphan', 'web'),
  pod('stranger', 'other'),
  pod('leaving', 'web', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  pod('foreign', 'web', { ownerReferences: [{ ...reference, uid: 'another' }] }),
];

describe('an owner', () => {
  test('keeps what it selects, adopts orphans and releases what it no longer selects', () => {
    const { owned, writes } = claim(kinds.pod, owner(), candidates);
    assert.deepEqual(
      owned.map(({ metadata }) => metadata.name),
      ['owned', 'orphan'],
    );
    const patchOf = (name: string): unknown =>
      writes.flatMap((write) => (write.verb === 'patch' && write.key.name === name ? [write.patch] : []))[0];
    assert.equal(writes.length, 2);
    assert.deepEqual(patchOf('relabelled'), {
      metadata: { uid: 'uid-relabelled', resourceVersion: '7', ownerReferences: null },
    });
    assert.deepEqual(patchOf('orphan'), {
      metadata: {
        uid: 'uid-orphan',
        resourceVersion: '7',
        ownerReferences: [{ ...reference, blockOwnerDeletion: true }],
      },
    });
  });

  test('neither adopts nor releases while it is being deleted', () => {
    const { owned, writes } = claim(kinds.pod, owner('2026-01-01T00:00:00Z'), candidates);
    assert.deepEqual(
      owned.map(({ metadata }) => metadata.name),
      ['owned'],
    );
    assert.deepEqual(writes, []);
  });
});
