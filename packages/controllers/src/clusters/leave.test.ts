import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plan } from '@flotilla/runtime';
import { decideLeave } from './leave.ts';
import type { MemberState } from './member-state.ts';
import { aCondition, aMember, anAgent, anInternal, aNamespace, aState, aWork, now, told } from './member.testing.ts';

const minute = 60_000;

function leaving(changes: Partial<MemberState> = {}, sinceMs = 1000): Plan {
  const deletionTimestamp = new Date(now.getTime() - sinceMs).toISOString();
  const state = aState({ cluster: aMember({ deletionTimestamp }), ...changes });
  return decideLeave(state, { forceDeleteWaitMs: 15 * minute, networkingAgents: false }, now);
}

const works = [aWork('a', ['kubernetes-fleet.io/work-cleanup']), aWork('b', []), aWork('c', ['x', 'y'])];
const present = { agentStatus: [anAgent('True')] };
const gone = { agentStatus: [anAgent('False')] };

describe('a member that is deleted', () => {
  test('is asked to leave, and its Works are not changed', () => {
    const plan = leaving({ internal: anInternal(present), works });
    assert.deepEqual(told(plan), [['patch InternalMemberCluster sea']]);
    assert.equal(plan.events?.[0]?.reason, 'InternalMemberClusterSpecUpdated');
  });

  test('is waited for exactly as long as configured', () => {
    const internal = anInternal(present, 'Leave');
    const plan = leaving({ internal }, 5 * minute);
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
    assert.equal(plan.requeueAfterMs, 10 * minute);
    assert.deepEqual(told(leaving({ internal }, 15 * minute)), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['delete Namespace fleet-member-sea'],
    ]);
  });

  test('is asked first, even after the wait is over', () => {
    const plan = leaving({ internal: anInternal(present) }, 60 * minute);
    assert.deepEqual(told(plan), [['patch InternalMemberCluster sea', 'delete RoleBinding fleet-rolebinding-sea']]);
  });

  test('is not asked twice after the wait, though the server refused the first request', () => {
    const plan = leaving({ internal: anInternal(present), roleBinding: undefined, works }, 60 * minute);
    assert.deepEqual(told(plan), [['patch Work a', 'patch Work c'], ['delete Namespace fleet-member-sea']]);
  });

  test('is asked with a small patch, whatever it has reported and however often it writes', () => {
    const properties = { a: { value: 'x'.repeat(10_000), observationTime: '2026-01-01T00:00:00Z' } };
    const [[write] = []] = leaving({ internal: anInternal({ ...present, properties }) }).steps;
    assert.deepEqual(write?.verb === 'patch' && write.patch, {
      metadata: { uid: 'i1' },
      spec: { state: 'Leave', heartbeatPeriodSeconds: 60 },
    });
  });

  test('gets an event when its agent has left', () => {
    const plan = leaving({ internal: anInternal(gone, 'Leave'), works });
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
    assert.deepEqual(
      plan.events?.map(({ reason, message }) => `${reason}: ${message}`),
      ['MemberClusterJoined: member cluster left'],
    );
    assert.equal(plan.requeueAfterMs, 0);
  });

  test('then loses its access, the finalizers of its Works, and its namespace, in this order', () => {
    const deletionTimestamp = now.toISOString();
    const cluster = aMember({ deletionTimestamp }, { conditions: [aCondition('Joined', 'False')] });
    const plan = leaving({ cluster, internal: anInternal(gone, 'Leave'), works });
    assert.deepEqual(told(plan), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['patch Work a', 'patch Work c'],
      ['delete Namespace fleet-member-sea'],
    ]);
    const [, [write] = []] = plan.steps;
    assert.deepEqual(write?.verb === 'patch' && write.patch, { metadata: { resourceVersion: '9', finalizers: null } });
  });

  test('loses its objects when there is no agent to ask', () => {
    assert.deepEqual(told(leaving({ internal: undefined })), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['delete Namespace fleet-member-sea'],
    ]);
  });

  test('loses its finalizer when its namespace is deleted', () => {
    const finalizers = ['other', 'kubernetes-fleet.io/membercluster-finalizer'];
    const cluster = aMember({ deletionTimestamp: now.toISOString(), finalizers });
    const [[write] = []] = leaving({ cluster, namespace: undefined }).steps;
    const metadata = { resourceVersion: '7', finalizers: ['other'] };
    assert.deepEqual(write?.verb === 'patch' && write.patch, { metadata });
  });

  test('is left alone if it does not have our finalizer', () => {
    const cluster = aMember({ deletionTimestamp: now.toISOString(), finalizers: ['other'] });
    assert.deepEqual(told(leaving({ cluster })), []);
  });
});

describe('a namespace that terminates', () => {
  const going = (sinceMs: number) => aNamespace({ deletionTimestamp: new Date(now.getTime() - sinceMs).toISOString() });

  test('is waited for', () => {
    const plan = leaving({ namespace: going(minute), internal: undefined, roleBinding: undefined });
    assert.deepEqual(told(plan), []);
    assert.equal(plan.requeueAfterMs, 14 * minute + 1);
  });

  test('is not blocked by Works whose agent has left', () => {
    assert.deepEqual(told(leaving({ namespace: going(minute), internal: undefined, works })), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['patch Work a', 'patch Work c'],
    ]);
  });

  test('leaves its Works to an agent that has not left yet', () => {
    const plan = leaving({ namespace: going(minute), internal: anInternal(present, 'Leave'), works });
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
  });

  test('is an error after a quarter of an hour', () => {
    assert.throws(
      () => leaving({ namespace: going(16 * minute), internal: undefined, roleBinding: undefined }),
      /^Error: failed to delete the member cluster namespace fleet-member-sea, it has been deleting since /,
    );
  });
});
