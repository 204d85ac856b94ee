import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ManagedCluster, ManagedClusterTaint } from '@flotilla/api';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { admittedCluster } from './admitted-cluster.ts';

const now = new Date('2026-01-01T12:00:00Z');
const [before, after] = ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00Z'];

function cluster(spec?: JsonObject, labels?: Record<string, string>): KubeObject {
  const metadata = { name: 'sea', ...(labels && { labels }) };
  return { apiVersion: 'v1', kind: 'ManagedCluster', metadata, ...(spec && { spec }) };
}

const gpu = (value: string, timeAdded?: string | null): ManagedClusterTaint => ({
  key: 'gpu',
  value,
  effect: 'NoSelect',
  ...(timeAdded !== undefined && { timeAdded }),
});

/** The taints, or the refusal, of an update; of a create without old ones. */
function taints(given: ManagedClusterTaint[], old?: ManagedClusterTaint[]): unknown {
  const stored = old && (cluster({ taints: old }) as unknown as ManagedCluster);
  const admitted = admittedCluster(cluster({ taints: given }), stored, now);
  return 'refusal' in admitted ? admitted.refusal : (admitted.change['spec'] as JsonObject)['taints'];
}

describe('the times of taints', () => {
  const refusal = 'It is not allowed to set TimeAdded of Taint "gpu".';

  test('are set by the server when a cluster is created, whatever the user says', () => {
    assert.deepEqual(taints([gpu('a', before)]), [gpu('a', after)]);
  });

  test('are set for taints that are new or change, and cannot be chosen', () => {
    assert.deepEqual(taints([gpu('a')], []), [gpu('a', after)]);
    assert.deepEqual(taints([gpu('a', null)], []), [gpu('a', after)]);
    assert.deepEqual(taints([gpu('b')], [gpu('a', before)]), [gpu('b', after)]);
    assert.equal(taints([gpu('a', before)], []), refusal);
    assert.equal(taints([gpu('b', before)], [gpu('a', before)]), refusal);
  });

  test('stay for taints that do not change, and cannot be removed', () => {
    assert.deepEqual(taints([gpu('a', before)], [gpu('a', before)]), [gpu('a', before)]);
    const sameMoment = '2026-01-01T11:00:00+01:00';
    assert.deepEqual(taints([gpu('a', sameMoment)], [gpu('a', before)]), [gpu('a', sameMoment)]);
    for (const other of [gpu('a'), gpu('a', after)]) assert.equal(taints([other], [gpu('a', before)]), refusal);
  });

  test('are kept apart for taints with the same key', () => {
    const both = [gpu('a', before), gpu('b', before)];
    assert.deepEqual(taints(both, both), both);
  });
});

describe('the cluster set', () => {
  const label = 'cluster.open-cluster-management.io/clusterset';
  const labelsOf = (given: KubeObject) => {
    const admitted = admittedCluster(given, undefined, now);
    return 'change' in admitted ? admitted.change.metadata?.labels : undefined;
  };

  test('is the default one unless the label names another', () => {
    assert.deepEqual(labelsOf(cluster()), { [label]: 'default' });
    assert.deepEqual(labelsOf(cluster({}, { env: 'x', [label]: '' })), { env: 'x', [label]: 'default' });
    assert.deepEqual(labelsOf(cluster({}, { [label]: 'blue' })), { [label]: 'blue' });
  });
});

test('an object of a wrong shape is left to validation', () => {
  for (const spec of [{ taints: 'x' }, { taints: [1] }, { taints: { a: 1 } }]) {
    const admitted = admittedCluster(cluster(spec), undefined, now);
    assert.ok('change' in admitted && admitted.change['spec'] === undefined);
  }
});
