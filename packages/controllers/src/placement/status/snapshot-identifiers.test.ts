import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterFamily, snapshotSubindexAnnotation, type ResourceSnapshot } from '@flotilla/api';
import type { JsonObject } from '@flotilla/kube';
import { identifiersIn } from './snapshot-identifiers.ts';
import { aResourceSnapshot } from './status.testing.ts';

function aPart(subindex: number, selectedResources: JsonObject[]): ResourceSnapshot {
  const snapshot = aResourceSnapshot(clusterFamily, '4');
  const annotations = { [snapshotSubindexAnnotation]: `${subindex}` };
  return { ...snapshot, metadata: { ...snapshot.metadata, annotations }, spec: { selectedResources } };
}

test('the resources of a group are in the order of their selection, whatever the order of its snapshots', () => {
  const namespaces = (name: string) => [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }];
  const parts = Array.from({ length: 11 }, (_, index) => aPart(index, namespaces(`ns-${index}`)));
  const group = [...parts.toReversed(), aResourceSnapshot(clusterFamily, '4', ['first'])];
  assert.deepEqual(
    identifiersIn(group).map(({ name }) => name),
    ['first', ...parts.map((_, index) => `ns-${index}`)],
  );
});

test('empty groups and namespaces are left out', () => {
  const group = [
    aPart(0, [
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace: 'team', name: 'web' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    ]),
  ];
  assert.deepEqual(identifiersIn(group), [
    { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'team', name: 'web' },
    { version: 'v1', kind: 'Namespace', name: 'team' },
  ]);
});

test('objects that are not Kubernetes objects do no harm', () => {
  assert.deepEqual(identifiersIn([aPart(0, [{}, { apiVersion: 7, kind: null, metadata: [] }])]), [
    { version: '', kind: '', name: '' },
    { version: '', kind: '', name: '' },
  ]);
});
