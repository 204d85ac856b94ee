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

describe('the join state of a member', () => {
  test('is what its agent reports', () => {
    assert.deepEqual(joined(anAgent('True')), { status: 'True' });
    assert.deepEqual(joined(anAgent('False')), { status: 'False' });
  });

  test('is unknown while no agent has reported', () => {
    const message = 'Member cluster sea has not reported all the expected agents, expected 1, got 0';
    assert.deepEqual(joined(), { status: 'Unknown', message });
  });

  test('is unknown while its agent has no Joined condition', () => {
    const message = 'Member cluster sea has not reported the join condition for agent MemberAgent';
    assert.deepEqual(joined(anAgent(undefined)), { status: 'Unknown', message });
  });

  test('does not depend on unexpected agents', () => {
    const message = 'Member cluster sea has not reported all the expected agents, expected 1, got 0';
    assert.deepEqual(joined(anAgent('True', 'Stranger')), { status: 'Unknown', message });
    assert.deepEqual(joined(anAgent('False', 'Stranger'), anAgent('True')), { status: 'True' });
  });

  test('is unknown while its agent is unsure, or agents disagree', () => {
    const message = 'Member agents are not in a consistent state';
    assert.deepEqual(joined(anAgent('Unknown')), { status: 'Unknown', message });
    const disagreeing = withNetworking(anAgent('True'), anAgent('False', service), anAgent('True', exporter));
    assert.deepEqual(disagreeing, { status: 'Unknown', message });
  });

  test('is joined with networking agents only when all three have joined', () => {
    const all = [anAgent('True'), anAgent('True', service), anAgent('True', exporter)];
    assert.deepEqual(withNetworking(...all), { status: 'True' });
    const message = 'Member cluster sea has not reported all the expected agents, expected 3, got 2';
    assert.deepEqual(withNetworking(...all.slice(1)), { status: 'Unknown', message });
    const twice = withNetworking(anAgent('True'), anAgent('True'), anAgent('True', service));
    assert.deepEqual(twice, { status: 'Unknown', message });
  });
});
