import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Condition, ManagedCluster, ManagedClusterTaint } from '@flotilla/api';
import type { Lease } from '@flotilla/kube';
import type { Plan } from '@flotilla/runtime';
import { aCondition, aNamespace, now, told } from '../../clusters/member.testing.ts';
import { decideAvailability } from './decide.ts';

const minute = 60_000;

interface Scene {
  readonly available?: Condition['status'];
  readonly isAccepted?: boolean;
  readonly isDeleting?: boolean;
  readonly taints?: ManagedClusterTaint[];
  readonly period?: number;
  /** How long ago the lease was renewed; without it, there is none. */
  readonly renewedMsAgo?: number;
  readonly hasNamespace?: boolean;
  readonly listeningSince?: Date;
}

function clusterIn({ available, isAccepted = true, isDeleting = false, taints, period = 60 }: Scene): ManagedCluster {
  const conditions = [
    ...(isAccepted ? [aCondition('HubAcceptedManagedCluster', 'True')] : []),
    ...(available ? [aCondition('ManagedClusterConditionAvailable', available)] : []),
  ];
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: 'sea', ...(isDeleting && { deletionTimestamp: now.toISOString() }) },
    spec: { leaseDurationSeconds: period, ...(taints && { taints }) },
    status: { conditions },
  };
}

function decided(scene: Scene): Plan {
  const { renewedMsAgo, hasNamespace = true, listeningSince = new Date(0) } = scene;
  const lease: Lease | undefined =
    renewedMsAgo === undefined
      ? undefined
      : {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'managed-cluster-lease', namespace: 'sea' },
          spec: { renewTime: new Date(now.getTime() - renewedMsAgo).toISOString() },
        };
  const namespace = hasNamespace ? aNamespace({ name: 'sea' }) : undefined;
  return decideAvailability({ cluster: clusterIn(scene), namespace, lease }, { listeningSince }, now);
}

function taintsAfter(scene: Scene): string[] | undefined {
  const [[write] = []] = decided(scene).steps;
  if (write?.verb !== 'update' || write.subresource !== undefined) return undefined;
  return (write.object as ManagedCluster).spec?.taints?.map(({ key }) => key.slice(key.indexOf('/') + 1));
}

describe('a lease', () => {
  const toUnknown = [['update ManagedCluster/status sea']];

  test('that is not renewed for five periods makes a cluster unknown', () => {
    const available = 'True';
    const inTime = decided({ available, renewedMsAgo: 5 * minute - 1 });
    assert.deepEqual([told(inTime), inTime.requeueAfterMs], [[], 1]);
    const late = decided({ available, renewedMsAgo: 5 * minute });
    assert.deepEqual(told(late), toUnknown);
    assert.equal(late.events?.[0]?.reason, 'AvailableUnknown');
    assert.deepEqual(told(decided({ available: 'False', renewedMsAgo: 51_000, period: 10 })), toUnknown);
    assert.deepEqual(told(decided({ available, renewedMsAgo: 4 * minute, period: 0 })), []);
  });

  test('from the future counts as one from now', () => {
    assert.equal(decided({ available: 'True', renewedMsAgo: -1e12 }).requeueAfterMs, 5 * minute);
  });

  test('could not be renewed before the server began', () => {
    const listeningSince = new Date(now.getTime() - minute);
    assert.equal(decided({ available: 'True', renewedMsAgo: 1e9, listeningSince }).requeueAfterMs, 4 * minute);
  });

  test('is created for a cluster that was accepted and has a namespace', () => {
    assert.deepEqual(told(decided({ available: 'True' })), [['create Lease managed-cluster-lease']]);
    assert.deepEqual(told(decided({ available: 'True', hasNamespace: false })), []);
    assert.deepEqual(told(decided({ available: 'True', isAccepted: false })), []);
  });

  test('of a cluster that is being deleted may be gone already', () => {
    assert.deepEqual(told(decided({ available: 'True', isDeleting: true })), toUnknown);
    assert.deepEqual(told(decided({ available: 'Unknown', isDeleting: true })), []);
  });
});

describe('the taint of a cluster', () => {
  const renewedMsAgo = 0;
  const marked = (name: string): ManagedClusterTaint => ({
    key: `cluster.open-cluster-management.io/${name}`,
    effect: 'NoSelect',
    timeAdded: '2026-01-01T00:00:00Z',
  });
  const [gpu, unreachable, unavailable] = [marked('gpu'), marked('unreachable'), marked('unavailable')];

  test('says whether it is unreachable or unavailable', () => {
    assert.deepEqual(taintsAfter({ renewedMsAgo, isAccepted: false }), ['unreachable']);
    assert.deepEqual(taintsAfter({ renewedMsAgo, available: 'Unknown', taints: [gpu, unavailable] }), [
      'gpu',
      'unreachable',
    ]);
    assert.deepEqual(taintsAfter({ renewedMsAgo, available: 'False', taints: [unreachable] }), ['unavailable']);
    assert.deepEqual(taintsAfter({ renewedMsAgo, available: 'True', taints: [unreachable, gpu, unavailable] }), [
      'gpu',
    ]);
  });

  test('is not written again', () => {
    assert.equal(taintsAfter({ renewedMsAgo, available: 'Unknown', taints: [unreachable] }), undefined);
    assert.equal(taintsAfter({ renewedMsAgo, available: 'True', taints: [gpu] }), undefined);
  });

  test('of a user stays, if only its key is that of the others', () => {
    const own = { ...unreachable, value: 'mine' };
    assert.deepEqual(taintsAfter({ renewedMsAgo, available: 'False', taints: [own] }), ['unreachable', 'unavailable']);
  });
});
