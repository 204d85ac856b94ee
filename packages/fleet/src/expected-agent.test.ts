import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memberClusters } from '@flotilla/api';
import { silentLogger } from '@flotilla/kube';
import { flushPromises, startTestHub, type TestHub } from '@flotilla/testkit';
import { expectedAgent } from './expected-agent.ts';
import { registerMember } from './member-credentials.ts';

/** What an agent did, in order. Its first starts fail. */
function startAgent(hub: TestHub, failures = 0) {
  const steps: string[] = [];
  let left = failures;
  const agent = expectedAgent({
    name: 'sea',
    hub: hub.server.connect(),
    clock: hub.clock,
    logger: silentLogger,
    start: async () => {
      if (left-- > 0) {
        steps.push('failed');
        throw new Error('the cluster is unreachable');
      }
      steps.push('started');
      return {
        isAtRest: () => true,
        stop: async () => void steps.push('stopped'),
        disconnect: async () => void steps.push('disconnected'),
      };
    },
  });
  return { agent, steps };
}

describe('an agent that is expected', () => {
  test('runs while its MemberCluster exists, and again when it is created again', async () => {
    const hub = await startTestHub();
    const { agent, steps } = startAgent(hub);
    await hub.settle();
    assert.deepEqual(steps, []);
    await registerMember(hub.client, 'sea');
    await hub.settle();
    assert.deepEqual(steps, ['started']);
    await hub.client.delete(memberClusters, { name: 'sea' });
    await hub.clock.advance(16 * 60_000);
    await hub.settle();
    assert.deepEqual(steps.splice(0), ['started', 'stopped', 'disconnected']);
    await registerMember(hub.client, 'sea');
    await hub.settle();
    assert.deepEqual(steps.splice(0), ['started']);
    await agent.stop();
    assert.deepEqual(steps, ['stopped', 'disconnected']);
    await agent.disconnect();
    await hub.stop();
  });

  test('tries again until its cluster can be reached', async () => {
    const hub = await startTestHub();
    await registerMember(hub.client, 'sea');
    const { agent, steps } = startAgent(hub, 2);
    await hub.settle();
    await hub.clock.advance(10_000);
    await flushPromises();
    assert.deepEqual(steps, ['failed', 'failed', 'started']);
    await agent.stop();
    await agent.disconnect();
    await hub.stop();
  });
});
