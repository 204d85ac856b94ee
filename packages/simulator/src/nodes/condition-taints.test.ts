import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Condition, Node, Taint } from '../kinds.ts';
import { decideTaints } from './condition-taints.ts';

const own: Taint = { key: 'dedicated', value: 'db', effect: 'NoSchedule' };
const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** The taints that the node gets, as text; undefined if none change. */
function taintsAfter(conditions: Condition[], spec: Node['spec']): string[] | undefined {
  const metadata = { name: 'n1', uid: 'u', resourceVersion: '7' };
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata, spec: spec ?? {}, status: { conditions } };
  const [write] = decideTaints(node, new Date('2026-01-01T00:00:00Z')).steps.flat();
  if (write?.verb !== 'patch') return undefined;
  const { taints } = write.patch['spec'] as { taints: Taint[] | null };
  return (taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
}

describe('the taints of a node', () => {
  const ready = { type: 'Ready', status: 'True' };

  test('no longer say that it is not ready when it is, and leave those of users alone', () => {
    assert.deepEqual(taintsAfter([ready], { taints: [notReady, own] }), ['dedicated:NoSchedule']);
    assert.deepEqual(taintsAfter([ready], { taints: [notReady] }), []);
    assert.equal(taintsAfter([ready], { taints: [own] }), undefined);
  });

  test('keep pods away from a node that is cordoned or lacks memory', () => {
    const pressure = { type: 'MemoryPressure', status: 'True' };
    assert.deepEqual(taintsAfter([ready, pressure], { unschedulable: true, taints: [own] }), [
      'dedicated:NoSchedule',
      'node.kubernetes.io/memory-pressure:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
    ]);
  });

  test('drive pods from a node that cannot be reached', () => {
    assert.deepEqual(taintsAfter([{ type: 'Ready', status: 'Unknown' }], { taints: [notReady] }), [
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
  });
});
