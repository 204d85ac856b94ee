import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conditionOf, type InternalMemberClusterStatus, type MemberClusterStatus } from '@flotilla/api';
import { expectedAgents, mirroredStatus, readyToJoin } from './mirrored-status.ts';
import { aCondition, aMember, anAgent, anInternal, now } from './member.testing.ts';

function mirrored(reported: InternalMemberClusterStatus = {}, before?: MemberClusterStatus): MemberClusterStatus {
  const internal = anInternal(reported);
  return mirroredStatus(aMember({}, before), internal, expectedAgents(false), now, [readyToJoin(2)]);
}

describe("a MemberCluster's status", () => {
  test('is ready to join before the member reports anything', () => {
    const lastTransitionTime = '2026-01-01T12:00:00Z';
    assert.deepEqual(mirrored(), {
      resourceUsage: {},
      conditions: [
        {
          type: 'ReadyToJoin',
          status: 'True',
          reason: 'MemberClusterReadyToJoin',
          message: 'Member cluster is ready to join the fleet',
          observedGeneration: 2,
          lastTransitionTime,
        },
        {
          type: 'Joined',
          status: 'Unknown',
          reason: 'MemberClusterJoinStateUnknown',
          message: 'Member cluster sea has not reported all the expected agents, expected 1, got 0',
          observedGeneration: 2,
          lastTransitionTime,
        },
      ],
    });
  });

  test('has all conditions of a member that has joined', () => {
    assert.deepEqual(conditionOf(mirrored({ agentStatus: [anAgent('True')] }).conditions, 'Joined'), {
      type: 'Joined',
      status: 'True',
      reason: 'MemberClusterJoined',
      message: 'Member cluster has successfully joined the fleet',
      observedGeneration: 2,
      lastTransitionTime: '2026-01-01T12:00:00Z',
    });
  });

  test('is not ready to join after the member has left, and keeps the transition time', () => {
    const left = mirrored({ agentStatus: [anAgent('False')] });
    assert.deepEqual(
      left.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message]),
      [
        ['Joined', 'False', 'MemberClusterLeft', 'Member cluster has left the fleet'],
        ['ReadyToJoin', 'False', 'MemberClusterNotReadyToJoin', 'Member cluster is not ready to join the fleet'],
      ],
    );
    const later = new Date(now.getTime() + 60_000);
    const internal = anInternal({ agentStatus: [anAgent('False')] });
    assert.deepEqual(mirroredStatus(aMember({}, left), internal, expectedAgents(false), later, [readyToJoin(2)]), left);
  });

  test('has the generation of the MemberCluster in its conditions', () => {
    const conditions = [aCondition('ClusterPropertyCollectionSucceeded', 'True', { observedGeneration: 9 })];
    const status = mirrored({ agentStatus: [anAgent('True')], conditions });
    for (const condition of [...(status.conditions ?? []), ...(status.agentStatus?.[0]?.conditions ?? [])]) {
      assert.equal(condition.observedGeneration, 2);
    }
  });

  test('has resource usage, properties and namespaces as last reported', () => {
    const property = { value: '3', observationTime: '2026-01-01T00:00:00Z' };
    const reported = { properties: { a: property }, resourceUsage: { capacity: { cpu: 4 } }, namespaces: { n: 'w' } };
    const before = mirrored({ ...reported, agentStatus: [anAgent('True')] });
    assert.deepEqual(before.properties, reported.properties);
    assert.deepEqual(before.resourceUsage, reported.resourceUsage);
    assert.deepEqual(before.namespaces, reported.namespaces);
    const after = mirrored({ agentStatus: [anAgent('True')] }, before);
    assert.deepEqual([after.properties, after.resourceUsage, after.namespaces], [undefined, {}, undefined]);
  });

  test('keeps the last agent status while none is reported', () => {
    const before = mirrored({ agentStatus: [anAgent('True')] });
    const after = mirrored({}, before);
    assert.deepEqual(after.agentStatus, before.agentStatus);
    assert.equal(conditionOf(after.conditions, 'Joined')?.status, 'True');
  });

  test('keeps conditions that are no longer reported, and takes transition times from the agent', () => {
    const said = aCondition('NamespaceCollectionSucceeded', 'True', { lastTransitionTime: '2025-12-24T00:00:00Z' });
    const before = mirrored({ conditions: [said] });
    assert.equal(conditionOf(before.conditions, said.type)?.lastTransitionTime, said.lastTransitionTime);
    assert.ok(conditionOf(mirrored({}, before).conditions, said.type));
    const same = mirrored({ conditions: [{ ...said, lastTransitionTime: '2026-01-01T00:00:00Z' }] }, before);
    assert.equal(conditionOf(same.conditions, said.type)?.lastTransitionTime, said.lastTransitionTime);
  });

  test('ignores reported conditions of the types that the hub decides', () => {
    const conditions = [aCondition('Joined', 'True'), aCondition('ReadyToJoin', 'False')];
    const status = mirrored({ agentStatus: [anAgent('Unknown')], conditions });
    assert.equal(conditionOf(status.conditions, 'Joined')?.status, 'Unknown');
    assert.equal(conditionOf(status.conditions, 'ReadyToJoin')?.status, 'True');
  });

  test('does not grow without limit when a member keeps reporting new condition types', () => {
    let status: MemberClusterStatus | undefined;
    for (let round = 0; round < 10; round++) {
      const conditions = Array.from({ length: 50 }, (_, index) => aCondition(`Round${round}Number${index}`, 'True'));
      status = mirrored({ conditions }, status);
    }
    assert.equal(status?.conditions?.length, 64);
  });
});
