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
  test('is asked to leave, and its Works are left alone', () => {
    const plan = leaving({ internal: anInternal(present), works });
    assert.deepEqual(told(plan), [['patch InternalMemberCluster sea']]);
    assert.equal(plan.events?.[0]?.reason, 'InternalMemberClusterSpecUpdated');
  });

  test('is waited for, and not a moment longer than agreed', () => {
    const internal = anInternal(present, 'Leave');
    const plan = leaving({ internal }, 5 * minute);
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
    assert.equal(plan.comeBackAfterMs, 10 * minute);
    assert.deepEqual(told(leaving({ internal }, 15 * minute)), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['delete Namespace fleet-member-sea'],
    ]);
  });

  test('is asked first, however long it was not', () => {
    const plan = leaving({ internal: anInternal(present) }, 60 * minute);
    assert.deepEqual(told(plan), [['patch InternalMemberCluster sea', 'delete RoleBinding fleet-rolebinding-sea']]);
  });

  test('is not asked twice when its wait is over, though the server refused the first time', () => {
    const plan = leaving({ internal: anInternal(present), roleBinding: undefined, works }, 60 * minute);
    assert.deepEqual(told(plan), [['patch Work a', 'patch Work c'], ['delete Namespace fleet-member-sea']]);
  });

  test('is asked in a few words, whatever it has reported and however often it writes', () => {
    const properties = { a: { value: 'x'.repeat(10_000), observationTime: '2026-01-01T00:00:00Z' } };
    const [[write] = []] = leaving({ internal: anInternal({ ...present, properties }) }).steps;
    assert.deepEqual(write?.verb === 'patch' && write.patch, {
      metadata: { uid: 'i1' },
      spec: { state: 'Leave', heartbeatPeriodSeconds: 60 },
    });
  });

  test('is told of when its agent has left', () => {
    const plan = leaving({ internal: anInternal(gone, 'Leave'), works });
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
    assert.deepEqual(
      plan.events?.map(({ reason, message }) => `${reason}: ${message}`),
      ['MemberClusterJoined: member cluster left'],
    );
    assert.equal(plan.comeBackAfterMs, 0);
  });

  test('is cleared up then: its access ends, Works are let go of, and the namespace goes', () => {
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

  test('is cleared up when there is nothing to ask', () => {
    assert.deepEqual(told(leaving({ internal: undefined })), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['delete Namespace fleet-member-sea'],
    ]);
  });

  test('is gone when its namespace is, for all that is ours', () => {
    const finalizers = ['other', 'kubernetes-fleet.io/membercluster-finalizer'];
    const cluster = aMember({ deletionTimestamp: now.toISOString(), finalizers });
    const [[write] = []] = leaving({ cluster, namespace: undefined }).steps;
    const metadata = { resourceVersion: '7', finalizers: ['other'] };
    assert.deepEqual(write?.verb === 'patch' && write.patch, { metadata });
  });

  test('is none of our business when we never claimed it', () => {
    const cluster = aMember({ deletionTimestamp: now.toISOString(), finalizers: ['other'] });
    assert.deepEqual(told(leaving({ cluster })), []);
  });
});

describe('a namespace that goes', () => {
  const going = (sinceMs: number) => aNamespace({ deletionTimestamp: new Date(now.getTime() - sinceMs).toISOString() });

  test('is waited for', () => {
    const plan = leaving({ namespace: going(minute), internal: undefined, roleBinding: undefined });
    assert.deepEqual(told(plan), []);
    assert.equal(plan.comeBackAfterMs, 14 * minute + 1);
  });

  test('is not held up by Works that nobody clears any more', () => {
    assert.deepEqual(told(leaving({ namespace: going(minute), internal: undefined, works })), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['patch Work a', 'patch Work c'],
    ]);
  });

  test('leaves its Works to an agent that has not left yet', () => {
    const plan = leaving({ namespace: going(minute), internal: anInternal(present, 'Leave'), works });
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
  });

  test('is a failure that somebody should see after a quarter of an hour', () => {
    assert.throws(
      () => leaving({ namespace: going(16 * minute), internal: undefined, roleBinding: undefined }),
      /^Error: failed to delete the member cluster namespace fleet-member-sea, it has been deleting since /,
    );
  });
});
