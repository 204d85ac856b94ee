import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attributesClassesOf } from '@flotilla/builtins';
import type { ObjectMeta } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import type { Pod } from '../kinds.ts';
import { claimNamesOf, decideAttributesClass, decideClaim, decideVolume } from './decide.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

function claim(metadata: ObjectMeta = {}) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'hold', namespace: 'sea', finalizers: ['x.y/z', 'kubernetes.io/pvc-protection'], ...metadata },
  };
}

function pod(more: Partial<Pod> = {}, nodeName: string | undefined = 'n1'): Pod {
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'hold' } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'boat', namespace: 'sea', uid: 'p1' },
    spec: { ...(nodeName && { nodeName }), volumes },
    ...more,
  };
}

function finalizersAfter({ steps }: Plan): unknown {
  const [write] = steps[0] ?? [];
  return write?.verb === 'patch' && (write.patch['metadata'] as ObjectMeta).finalizers;
}

describe('a claim that is deleted', () => {
  const deleted = claim({ deletionTimestamp });

  test('loses its finalizer when no pod uses it, and keeps other finalizers', () => {
    assert.deepEqual(finalizersAfter(decideClaim({ claim: deleted, pods: [] })), ['x.y/z']);
  });

  test('keeps its finalizer while a pod on a node uses it', () => {
    assert.deepEqual(decideClaim({ claim: deleted, pods: [pod()] }), nothingToDo);
  });

  test('loses its finalizer if the pod has no node', () => {
    assert.deepEqual(finalizersAfter(decideClaim({ claim: deleted, pods: [pod({}, '')] })), ['x.y/z']);
  });

  test('of an ephemeral volume keeps its finalizer until its pod is shut down', () => {
    const spec = { nodeName: 'n1', volumes: [{ name: 'v', ephemeral: {} }] };
    const user = pod({ spec });
    assert.deepEqual(claimNamesOf(user), ['boat-v']);
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'boat', uid: 'p1', controller: true };
    const made = claim({ name: 'boat-v', deletionTimestamp, ownerReferences: [owner] });
    assert.deepEqual(decideClaim({ claim: made, pods: [user] }), nothingToDo);
    const metadata = { ...user.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 };
    assert.deepEqual(finalizersAfter(decideClaim({ claim: made, pods: [{ ...user, metadata }] })), ['x.y/z']);
  });
});

describe('a claim that is not deleted', () => {
  test('gets the finalizer', () => {
    const bare = claim({ finalizers: [] });
    assert.deepEqual(finalizersAfter(decideClaim({ claim: bare, pods: [] })), ['kubernetes.io/pvc-protection']);
    assert.deepEqual(decideClaim({ claim: claim(), pods: [] }), nothingToDo);
  });
});

describe('a volume that is deleted', () => {
  function volume(phase: string) {
    const metadata = { name: 'disk', finalizers: ['kubernetes.io/pv-protection'], deletionTimestamp };
    return { apiVersion: 'v1', kind: 'PersistentVolume', metadata, status: { phase } };
  }

  test('keeps its finalizer while a claim is bound to it', () => {
    assert.deepEqual(decideVolume(volume('Bound')), nothingToDo);
  });

  test('loses its finalizer when no claim is bound to it', () => {
    assert.deepEqual(finalizersAfter(decideVolume(volume('Released'))), []);
  });
});

describe('a VolumeAttributesClass that is deleted', () => {
  const metadata = { name: 'fast', finalizers: ['kubernetes.io/vac-protection'], deletionTimestamp };
  const attributesClass = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttributesClass', metadata };

  test('keeps its finalizer only while it is in use', () => {
    assert.deepEqual(decideAttributesClass({ attributesClass, isInUse: true }), nothingToDo);
    assert.deepEqual(finalizersAfter(decideAttributesClass({ attributesClass, isInUse: false })), []);
  });

  test('is used by claims that have it, had it, or change to it', () => {
    const spec = { volumeAttributesClassName: 'fast' };
    const modifyVolumeStatus = { targetVolumeAttributesClassName: 'faster' };
    const status = { currentVolumeAttributesClassName: 'slow', modifyVolumeStatus };
    assert.deepEqual(attributesClassesOf({ ...claim(), spec, status }), ['fast', 'slow', 'faster']);
    assert.deepEqual(attributesClassesOf(claim()), []);
  });
});
