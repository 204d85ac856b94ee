import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Work } from '@flotilla/api';
import { configMaps } from '@flotilla/kube';
import { isPrepared, prepareManifests } from './prepare-manifests.ts';

function workWith(count: number): Work {
  const manifests = Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: `c${index}` },
  }));
  return { apiVersion: 'v1', kind: 'Work', metadata: { name: 'w' }, spec: { workload: { manifests } } };
}

test('of a Work above the limit of manifests, the first are prepared and the rest is one failure', async () => {
  const findKind = () => Promise.resolve(configMaps);
  const { manifests } = await prepareManifests(workWith(20_000), findKind);
  assert.equal(manifests.length, 5001);
  assert.equal(manifests.filter(isPrepared).length, 5000);
  assert.deepEqual(manifests.at(-1), {
    identifier: { ordinal: 5000 },
    result: 'DecodingErred',
    problem: 'the Work has 20000 manifests, but the agent applies only the first 5000; split it into several Works',
  });
  assert.equal((await prepareManifests(workWith(5000), findKind)).manifests.every(isPrepared), true);
});
