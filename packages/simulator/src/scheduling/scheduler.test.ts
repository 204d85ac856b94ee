/** The scheduler on a real server in memory, whose requests the test can break. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConnectionError, type Client } from '@flotilla/client';
import { controllerManager, type JsonObject } from '@flotilla/kube';
import { ManualClock, settle, startTestServer } from '@flotilla/testkit';
import { kinds, type Pod } from '../kinds.ts';
import { installNodes } from '../nodes/install-nodes.ts';
import { conditionOf } from '../pods/pod-state.ts';
import { startSimulator, type RunningSimulator } from '../start-simulator.ts';

const namespace = 'default';

describe('the scheduler', () => {
  const clock = new ManualClock();
  /** The next request to a path with this end fails. */
  let broken: string | undefined;
  let client: Client;
  let simulator: RunningSimulator;
  let stop: () => Promise<void>;

  before(async () => {
    const server = await startTestServer({ clock });
    client = server.connect({ user: controllerManager });
    await installNodes(client, new Date(clock.now()), [{ count: 2 }]);
    const faulty = server.connect({
      user: controllerManager,
      wrap: (transport) => ({
        ...transport,
        send: (request) => {
          const isBroken = broken !== undefined && request.method !== 'GET' && request.path.endsWith(broken);
          if (!isBroken) return transport.send(request);
          broken = undefined;
          return Promise.reject(new ConnectionError('broken by the test', 'cut'));
        },
      }),
    });
    simulator = await startSimulator({ client: faulty, clock, random: () => 0.5 });
    stop = async () => {
      await simulator.stop();
      await server.stop();
    };
  });
  after(() => stop());

  const atRest = () => settle(clock, simulator.isAtRest, { stepMs: 1 });
  const get = (name: string): Promise<Pod> => client.get(kinds.pod, { namespace, name });
  const create = async (name: string, cpu: string, more: JsonObject = {}): Promise<Pod> => {
    const containers = [{ name: 'web', image: 'nginx', resources: { requests: { cpu } } }];
    const spec = { containers, ...more };
    await client.create(kinds.pod, { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec });
    await atRest();
    return get(name);
  };

  test('tries a pod again when another leaves, or a node comes', async () => {
    await create('first', '3');
    await create('second', '3');
    assert.equal((await create('third', '3')).spec?.nodeName, undefined);
    await client.delete(kinds.pod, { namespace, name: 'first' });
    await atRest();
    assert.equal(conditionOf(await get('third'), 'Ready')?.status, 'True');
    await create('fourth', '3');
    await installNodes(client, new Date(clock.now()), [{ count: 3 }]);
    await atRest();
    assert.equal((await get('fourth')).spec?.nodeName, 'node-3');
  });

  test('waits until the gates of a pod are gone', async () => {
    const gated = await create('gated', '0', { schedulingGates: [{ name: 'example.com/wait' }] });
    assert.equal(conditionOf(gated, 'PodScheduled')?.reason, 'SchedulingGated');
    const value = { spec: { schedulingGates: null } };
    await client.patch(kinds.pod, { namespace, name: 'gated' }, { type: 'merge', value });
    await atRest();
    assert.equal(conditionOf(await get('gated'), 'Ready')?.status, 'True');
  });

  test('repeats what the server did not get', async () => {
    broken = '/large/status';
    await create('large', '100');
    assert.equal(broken, undefined);
    await clock.advance(1000);
    await atRest();
    assert.equal(conditionOf(await get('large'), 'PodScheduled')?.reason, 'Unschedulable');
    broken = '/small/binding';
    await create('small', '0');
    await clock.advance(1000);
    await atRest();
    assert.equal(conditionOf(await get('small'), 'Ready')?.status, 'True');
  });
});
