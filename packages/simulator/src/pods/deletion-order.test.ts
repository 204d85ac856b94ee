import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatTime } from '@flotilla/kube';
import type { Pod } from '../kinds.ts';
import { inDeletionOrder } from './deletion-order.ts';

const now = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number) => formatTime(new Date(now.getTime() - seconds * 1000));

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  readonly readyFor?: number;
  readonly cost?: string;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly age?: number;
}

function pod(uid: string, traits: Traits): Pod {
  const { node = 'one', phase = 'Running', readyFor, cost, restarts = 0, sidecarRestarts = 0, age = 100 } = traits;
  const annotations = { ...(cost !== undefined && { 'controller.kubernetes.io/pod-deletion-cost': cost }) };
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: ago(readyFor ?? 0) };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { uid, annotations, creationTimestamp: ago(age) },
    spec: { nodeName: node, initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'setup' }] },
    status: {
      phase,
      conditions: readyFor === undefined ? [] : [ready],
      containerStatuses: [{ restartCount: restarts }],
      initContainerStatuses: [
        { name: 'proxy', restartCount: sidecarRestarts },
        { name: 'setup', restartCount: 9 },
      ],
    },
  };
}

/** The first goes before the second. */
const pairs: readonly (readonly [string, Traits, Traits])[] = [
  ['has no node', { node: '', readyFor: 50 }, {}],
  ['is pending', { phase: 'Pending' }, { restarts: 5 }],
  ['is not ready', { cost: '100' }, { readyFor: 1 }],
  ['costs less', { cost: '-1', readyFor: 1000 }, { readyFor: 1 }],
  ['costs less than one whose cost is no number', { cost: '-1' }, { cost: 'cheap' }],
  ['shares its node', { node: 'crowded', readyFor: 1000 }, { readyFor: 1 }],
  ['was ready for much less time', { readyFor: 10 }, { readyFor: 1000, restarts: 5 }],
  ['restarted more often', { restarts: 2 }, { restarts: 1, sidecarRestarts: 9 }],
  ['has a sidecar that restarted more often', { sidecarRestarts: 2, age: 5000 }, { sidecarRestarts: 1, age: 10 }],
  ['is much younger', { age: 10 }, { age: 1000 }],
];

describe('the pod to delete first', () => {
  const crowd = [pod('x', { node: 'crowded' }), pod('y', { node: 'crowded' })];
  for (const [claim, first, second] of pairs) {
    test(claim, () => {
      const order = inDeletionOrder([pod('a', second), pod('b', first)], crowd, now);
      assert.deepEqual(
        order.map(({ metadata }) => metadata.uid),
        ['b', 'a'],
      );
    });
  }

  test('is any of those that differ little', () => {
    const similar = [pod('b', { readyFor: 100, restarts: 9 }), pod('a', { readyFor: 101 })];
    assert.equal(inDeletionOrder(similar, [], now)[0]?.metadata.uid, 'a');
  });
});
