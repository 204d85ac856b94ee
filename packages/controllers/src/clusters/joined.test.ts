import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentStatus } from '@flotilla/api';
import { joinedOf, type Joined } from './joined.ts';
import { expectedAgents } from './mirrored-status.ts';
import { anAgent } from './member.testing.ts';

function joined(...agents: AgentStatus[]): Joined {
  return joinedOf('sea', agents, expectedAgents(false));
}

function withNetworking(...agents: AgentStatus[]): Joined {
  return joinedOf('sea', agents, expectedAgents(true));
}

const [service, exporter] = ['MultiClusterServiceAgent', 'ServiceExportImportAgent'];

describe('a member has', () => {
  test('joined when its agent says so, and left when it says so', () => {
    assert.deepEqual(joined(anAgent('True')), { status: 'True' });
    assert.deepEqual(joined(anAgent('False')), { status: 'False' });
  });

  test('said nothing while no agent has reported', () => {
    const message = 'Member cluster sea has not reported all the expected agents, expected 1, got 0';
    assert.deepEqual(joined(), { status: 'Unknown', message });
  });

  test('said nothing while its agent does not say whether it has joined', () => {
    const message = 'Member cluster sea has not reported the join condition for agent MemberAgent';
    assert.deepEqual(joined(anAgent(undefined)), { status: 'Unknown', message });
  });

  test('no say by agents that nobody expects', () => {
    const message = 'Member cluster sea has not reported all the expected agents, expected 1, got 0';
    assert.deepEqual(joined(anAgent('True', 'Stranger')), { status: 'Unknown', message });
    assert.deepEqual(joined(anAgent('False', 'Stranger'), anAgent('True')), { status: 'True' });
  });

  test('said nothing clear while its agent is unsure, or agents disagree', () => {
    const message = 'Member agents are not in a consistent state';
    assert.deepEqual(joined(anAgent('Unknown')), { status: 'Unknown', message });
    const disagreeing = withNetworking(anAgent('True'), anAgent('False', service), anAgent('True', exporter));
    assert.deepEqual(disagreeing, { status: 'Unknown', message });
  });

  test('joined with its networking agents only when all three have', () => {
    const all = [anAgent('True'), anAgent('True', service), anAgent('True', exporter)];
    assert.deepEqual(withNetworking(...all), { status: 'True' });
    const message = 'Member cluster sea has not reported all the expected agents, expected 3, got 2';
    assert.deepEqual(withNetworking(...all.slice(1)), { status: 'Unknown', message });
    const twice = withNetworking(anAgent('True'), anAgent('True'), anAgent('True', service));
    assert.deepEqual(twice, { status: 'Unknown', message });
  });
});
