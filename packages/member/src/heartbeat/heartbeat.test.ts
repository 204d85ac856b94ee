import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { internalMemberClusters } from '@flotilla/api';
import { ConnectionError } from '@flotilla/client';
import { namespaces, nodes, pods, serviceAccounts } from '@flotilla/kube';
import { flushPromises } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import { answerOf, HeartbeatScene } from './heartbeat.testing.ts';

const key = { namespace: 'fleet-member-paris', name: 'paris' };
const statusPath =
  '/apis/cluster.kubernetes-fleet.io/v1beta1/namespaces/fleet-member-paris/internalmemberclusters/paris/status';

describe('a member with spec.state Join', () => {
  test('starts applying, and reports that it has joined and is healthy', async () => {
    const scene = await HeartbeatScene.start();
    await scene.heartbeat.joined;
    assert.deepEqual(scene.applierCalls, ['join']);
    assert.deepEqual((await scene.imc()).status, {
      agentStatus: [
        {
          type: 'MemberAgent',
          conditions: [
            {
              type: 'Healthy',
              status: 'True',
              observedGeneration: 1,
              lastTransitionTime: '2026-01-01T00:00:00Z',
              reason: 'InternalMemberClusterHealthy',
              message: '',
            },
            {
              type: 'Joined',
              status: 'True',
              observedGeneration: 1,
              lastTransitionTime: '2026-01-01T00:00:00Z',
              reason: 'InternalMemberClusterJoined',
              message: 'joined; deletions of Works with delete-propagation Abandon leave objects in place',
            },
          ],
          lastReceivedHeartbeat: '2026-01-01T00:00:00Z',
        },
      ],
      properties: { 'kubernetes-fleet.io/node-count': { value: '0', observationTime: '2026-01-01T00:00:00Z' } },
      resourceUsage: {
        capacity: { cpu: '0', memory: '0' },
        allocatable: { cpu: '0', memory: '0' },
        available: { cpu: '0', memory: '0' },
        observationTime: '2026-01-01T00:00:00Z',
      },
    });
    assert.deepEqual(await scene.events(), [
      'Normal InternalMemberClusterHealthy',
      'Normal InternalMemberClusterJoined',
    ]);
    await scene.stop();
  });

  test('writes one status for each heartbeat, and records each transition once', async () => {
    const scene = await HeartbeatScene.start();
    await scene.clock.advance(60_000);
    await scene.clock.advance(60_000);
    assert.deepEqual(scene.writes, [`PUT ${statusPath}`, `PUT ${statusPath}`, `PUT ${statusPath}`]);
    assert.equal(scene.heartbeat.isAtRest, true);
    assert.equal((await scene.events()).length, 2);
    const [agent] = (await scene.imc()).status?.agentStatus ?? [];
    assert.equal(agent?.lastReceivedHeartbeat, '2026-01-01T00:02:00Z');
    assert.equal(agent?.conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:00Z');
    assert.match(scene.metrics.text(), /\njoin_result_counter\{result="success"\} 1\n/);
    const turns =
      /\ncontroller_runtime_reconcile_total\{controller="internalmembercluster-controller",result="requeue_after"\} 3\n/;
    assert.match(scene.metrics.text(), turns);
    await scene.stop();
  });

  for (const [random, due] of [
    [0, 57_000],
    [0.9999, 62_999],
  ] as const) {
    test(`sends the next heartbeat after ${due} ms with random ${random}`, async () => {
      const scene = await HeartbeatScene.start({ random });
      await scene.clock.advance(due - 1);
      assert.equal(scene.writes.length, 1);
      await scene.clock.advance(1);
      assert.equal(scene.writes.length, 2);
      await scene.stop();
    });
  }

  test('continues the heartbeats of the agent before it, unless it has something to say', async () => {
    const scene = await HeartbeatScene.start();
    await scene.clock.advance(20_000);
    await scene.restart();
    assert.equal(scene.writes.length, 1);
    assert.equal(scene.heartbeat.membership, 'joined');
    await scene.clock.advance(39_999);
    assert.equal(scene.writes.length, 1);
    await scene.clock.advance(1);
    assert.equal(scene.writes.length, 2);
    await scene.restart({ reportsNamespaces: true });
    assert.equal(scene.writes.length, 3, 'namespaces are new');
    await scene.clock.advance(59_000);
    scene.onMember = ({ path }) => (path === '/readyz' ? answerOf(500, 'InternalError') : undefined);
    await scene.restart({ reportsNamespaces: true });
    assert.equal(scene.writes.length, 4, 'health is new');
    await scene.stop();
  });

  test('sends a heartbeat at once if the last one is overdue', async () => {
    const scene = await HeartbeatScene.start();
    await scene.heartbeat.stop();
    await scene.clock.advance(61_000);
    await scene.restart();
    assert.equal(scene.writes.length, 2);
    await scene.stop();
  });

  test('uses a changed period at once', async () => {
    const scene = await HeartbeatScene.start();
    await scene.changeSpec({ heartbeatPeriodSeconds: 5 });
    assert.equal(scene.writes.length, 2);
    await scene.clock.advance(5000);
    assert.equal(scene.writes.length, 3);
    assert.equal((await scene.events()).at(-1), 'Normal InternalMemberClusterJoined');
    await scene.stop();
  });

  test('keeps the status of other agents of the member', async () => {
    const scene = await HeartbeatScene.start();
    const before = await scene.imc();
    const others = [{ type: 'ServiceExportImportAgent' }, ...(before.status?.agentStatus ?? [])];
    await scene.hub.client.update(
      internalMemberClusters,
      { ...before, status: { ...before.status, agentStatus: others } },
      { subresource: 'status' },
    );
    await scene.clock.advance(60_000);
    const { status } = await scene.imc();
    assert.deepEqual(
      status?.agentStatus?.map(({ type }) => type),
      ['ServiceExportImportAgent', 'MemberAgent'],
    );
    await scene.stop();
  });

  test('reports why it failed to join, and retries', async () => {
    let isBroken = true;
    const join = (): void => {
      if (isBroken) throw new Error('the applier cannot start');
    };
    const scene = await HeartbeatScene.start({ applier: { join, leave: () => Promise.resolve() } });
    assert.deepEqual(await scene.agent(), ['Joined Unknown InternalMemberClusterFailedToJoin']);
    const [agent] = (await scene.imc()).status?.agentStatus ?? [];
    assert.equal(agent?.conditions?.[0]?.message, 'the applier cannot start');
    isBroken = false;
    await scene.clock.advance(1000);
    assert.deepEqual(await scene.agent(), [
      'Joined True InternalMemberClusterJoined',
      'Healthy True InternalMemberClusterHealthy',
    ]);
    assert.equal((await scene.events())[0], 'Normal InternalMemberClusterFailedToJoin');
    await scene.stop();
  });
});

describe('a member whose /readyz fails', () => {
  test('is reported with the status code, and probed again before the next heartbeat', async () => {
    const scene = await HeartbeatScene.start();
    scene.onMember = ({ path }) => (path === '/readyz' ? answerOf(500, 'InternalError') : undefined);
    await scene.clock.advance(60_000);
    assert.equal((await scene.agent())[0], 'Healthy False InternalMemberClusterUnhealthy');
    const [agent] = (await scene.imc()).status?.agentStatus ?? [];
    assert.equal(agent?.conditions?.[0]?.message, 'health probe failed with status code 500');
    const { length } = scene.writes;
    await scene.clock.advance(1500);
    assert.ok(scene.writes.length > length);
    scene.onMember = () => undefined;
    await scene.clock.advance(60_000);
    assert.equal((await scene.agent())[0], 'Healthy True InternalMemberClusterHealthy');
    assert.deepEqual((await scene.events()).slice(1), [
      'Warning InternalMemberClusterUnhealthy',
      'Normal InternalMemberClusterHealthy',
    ]);
    await scene.stop();
  });

  test('sends a heartbeat in each period, however long it fails', async () => {
    const scene = await HeartbeatScene.start();
    scene.onMember = ({ path }) => (path === '/readyz' ? answerOf(500, 'InternalError') : undefined);
    await scene.clock.advance(3_600_000);
    const { length } = scene.writes;
    await scene.clock.advance(120_000);
    assert.equal(scene.writes.length, length + 2);
    await scene.stop();
  });

  test('is reported if it cannot be reached', async () => {
    const scene = await HeartbeatScene.start();
    scene.onMember = ({ path }) => {
      if (path === '/readyz') throw new ConnectionError('connection refused', 'unreachable');
      return undefined;
    };
    await scene.clock.advance(60_000);
    const [agent] = (await scene.imc()).status?.agentStatus ?? [];
    assert.equal(agent?.conditions?.[0]?.message, 'health probe failed with status code 0: connection refused');
    await scene.stop();
  });
});

describe('a member with spec.state Leave', () => {
  test('stops applying, reports it, and sends no more heartbeats', async () => {
    const scene = await HeartbeatScene.start();
    await scene.changeSpec({ state: 'Leave' });
    assert.deepEqual(scene.applierCalls, ['join', 'leave']);
    assert.deepEqual(await scene.agent(), [
      'Healthy True InternalMemberClusterHealthy',
      'Joined False InternalMemberClusterLeft',
    ]);
    const { length } = scene.writes;
    await scene.clock.advance(600_000);
    assert.equal(scene.writes.length, length);
    const [agent] = (await scene.imc()).status?.agentStatus ?? [];
    assert.deepEqual(
      agent?.conditions?.map(({ observedGeneration }) => observedGeneration),
      [1, 2],
    );
    assert.equal((await scene.events()).at(-1), 'Normal InternalMemberClusterLeft');
    assert.match(scene.metrics.text(), /\nleave_result_counter\{result="success"\} 1\n/);
    await scene.stop();
  });

  test('joins again when spec.state is Join again', async () => {
    const scene = await HeartbeatScene.start();
    await scene.changeSpec({ state: 'Leave' });
    await scene.changeSpec({ state: 'Join' });
    assert.deepEqual(scene.applierCalls, ['join', 'leave', 'join']);
    assert.equal((await scene.agent())[1], 'Joined True InternalMemberClusterJoined');
    await scene.clock.advance(60_000);
    assert.equal(scene.applierCalls.length, 4);
    await scene.stop();
  });

  test('reports why it failed to leave, and retries', async () => {
    let failures = 2;
    const leave = (): Promise<void> =>
      failures-- > 0 ? Promise.reject(new Error('a Work could not be released')) : Promise.resolve();
    const scene = await HeartbeatScene.start({ applier: { join: () => undefined, leave } });
    await scene.changeSpec({ state: 'Leave' });
    assert.equal((await scene.agent())[1], 'Joined Unknown InternalMemberClusterFailedToLeave');
    await scene.clock.advance(1000);
    assert.equal((await scene.agent())[1], 'Joined False InternalMemberClusterLeft');
    assert.deepEqual((await scene.events()).slice(2), [
      'Normal InternalMemberClusterFailedToLeave',
      'Normal InternalMemberClusterLeft',
    ]);
    await scene.stop();
  });

  test('writes nothing after a change of labels', async () => {
    const scene = await HeartbeatScene.start({ state: 'Leave' });
    assert.equal(scene.writes.length, 1);
    const { metadata } = await scene.imc();
    await scene.hub.client.patch(internalMemberClusters, key, {
      type: 'merge',
      value: { metadata: { labels: { a: 'b' } } },
    });
    await scene.clock.advance(60_000);
    assert.equal(scene.writes.length, 1);
    assert.equal((await scene.imc()).metadata.generation, metadata.generation);
    await scene.stop();
  });
});

test('an unknown spec.state changes nothing', async () => {
  const scene = await HeartbeatScene.start({ state: 'Dance' });
  assert.deepEqual([scene.applierCalls, scene.writes, (await scene.imc()).status], [[], [], undefined]);
  await scene.stop();
});

describe('a status that cannot be written', () => {
  for (const [code, reason] of [
    [503, 'ServiceUnavailable'],
    [500, 'ServerTimeout'],
    [429, 'TooManyRequests'],
  ] as const) {
    test(`is sent four times within a third of a second if the hub answers ${reason}`, async () => {
      const scene = await HeartbeatScene.start();
      scene.onHub = ({ method }) => (method === 'PUT' ? answerOf(code, reason) : undefined);
      await scene.clock.advance(60_000);
      await scene.clock.advance(326);
      assert.equal(scene.writes.length, 1 + 4);
      await scene.stop();
    });
  }

  test('is computed again after a conflict', async () => {
    const scene = await HeartbeatScene.start();
    let conflicts = 1;
    scene.onHub = ({ method }) => (method === 'PUT' && conflicts-- > 0 ? answerOf(409, 'Conflict') : undefined);
    await scene.clock.advance(60_000);
    assert.equal(scene.writes.length, 2);
    await scene.clock.advance(5);
    assert.equal(scene.writes.length, 3);
    assert.equal((await scene.imc()).status?.agentStatus?.[0]?.lastReceivedHeartbeat, '2026-01-01T00:01:00Z');
    await scene.stop();
  });

  test('is not retried if the object is deleted', async () => {
    const scene = await HeartbeatScene.start();
    scene.onHub = ({ method }) => (method === 'PUT' ? answerOf(404, 'NotFound') : undefined);
    await scene.clock.advance(600_000);
    assert.equal(scene.writes.length, 2);
    await scene.stop();
  });

  test('is written at most one period after the hub is back', async () => {
    const scene = await HeartbeatScene.start();
    scene.onHub = ({ method }) => {
      if (method === 'PUT') throw new ConnectionError('connection refused', 'unreachable');
      return undefined;
    };
    await scene.clock.advance(3_600_000);
    scene.onHub = () => undefined;
    await scene.clock.advance(60_000);
    const { lastReceivedHeartbeat = '' } = (await scene.imc()).status?.agentStatus?.[0] ?? {};
    assert.ok(lastReceivedHeartbeat > '2026-01-01T01:00:00Z', lastReceivedHeartbeat);
    assert.equal((await scene.events()).length, 2);
    await scene.stop();
  });
});

describe('the report of a member without a provider', () => {
  test('has its nodes, their resources, and what running pods leave available', async () => {
    const scene = await HeartbeatScene.start();
    await scene.member.create(serviceAccounts, { metadata: { namespace: 'default', name: 'default' } });
    const amounts = { capacity: { cpu: '4', memory: '16Gi' }, allocatable: { cpu: '3800m', memory: '14Gi' } };
    for (const name of ['a', 'b']) await scene.member.create(nodes, { metadata: { name }, status: amounts });
    const pod = (name: string, spec: object) => ({
      metadata: { namespace: 'default', name },
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m', memory: '1Gi' } } }],
        ...spec,
      },
    });
    await scene.member.create(pods, pod('running', { nodeName: 'a' }));
    await scene.member.create(pods, pod('unscheduled', {}));
    const done = await scene.member.create(pods, pod('done', { nodeName: 'a' }));
    await scene.member.client.update(pods, { ...done, status: { phase: 'Succeeded' } }, { subresource: 'status' });
    await scene.clock.advance(60_000);
    const { properties, resourceUsage } = (await scene.imc()).status ?? {};
    assert.equal(properties?.['kubernetes-fleet.io/node-count']?.value, '2');
    assert.deepEqual(resourceUsage, {
      capacity: { cpu: '8', memory: '32Gi' },
      allocatable: { cpu: '7600m', memory: '28Gi' },
      available: { cpu: '7100m', memory: '27Gi' },
      observationTime: '2026-01-01T00:01:00Z',
    });
    await scene.member.client.delete(nodes, { name: 'b' });
    await scene.member.client.delete(pods, { namespace: 'default', name: 'running' }, { gracePeriodSeconds: 0 });
    await scene.clock.advance(60_000);
    const later = (await scene.imc()).status?.resourceUsage;
    assert.deepEqual(later?.available, { cpu: '3800m', memory: '14Gi' });
    assert.deepEqual(await scene.conditions(), []);
    await scene.stop();
  });
});

test('stop leaves no timer and no running turn', async () => {
  const scene = await HeartbeatScene.start();
  await scene.heartbeat.stop();
  const pending = scene.clock.pending;
  await scene.hub.client.patch(internalMemberClusters, key, { type: 'merge', value: { spec: { state: 'Leave' } } });
  await flushPromises();
  assert.equal(scene.clock.pending, pending);
  assert.deepEqual(scene.applierCalls, ['join']);
  await scene.stop();
});

describe('namespaces of the member', () => {
  const create = (scene: HeartbeatScene, name: string) => scene.member.create(namespaces, { metadata: { name } });

  test('are reported without a provider, and soon after a change', async () => {
    const scene = await HeartbeatScene.start({ reportsNamespaces: true });
    assert.equal((await scene.imc()).status?.namespaces?.['default'], '');
    await scene.clock.advance(20_000);
    const before = scene.writes.length;
    await create(scene, 'sea');
    await create(scene, 'lake');
    await scene.clock.advance(1000);
    assert.equal((await scene.imc()).status?.namespaces?.['lake'], '');
    assert.equal(scene.writes.length, before + 1);
    await scene.stop();
  });

  test('that are gone are reported three seconds after the last one, soon after another report', async () => {
    const scene = await HeartbeatScene.start({ reportsNamespaces: true });
    await scene.clock.advance(20_000);
    for (let index = 0; index < 3; index++) await create(scene, `n${index}`);
    await scene.clock.advance(300);
    const before = scene.writes.length;
    for (let index = 0; index < 3; index++) {
      await scene.member.client.delete(namespaces, { name: `n${index}` });
      await scene.clock.advance(2000);
    }
    assert.equal((await scene.imc()).status?.namespaces?.['n0'], '');
    assert.equal(scene.writes.length, before);
    await scene.clock.advance(1000);
    assert.deepEqual(
      Object.keys((await scene.imc()).status?.namespaces ?? {}).filter((name) => name.startsWith('n')),
      [],
    );
    assert.equal(scene.writes.length, before + 1);
    await scene.clock.advance(8000);
    assert.equal(scene.writes.length, before + 1);
    await scene.stop();
  });

  test('that are gone are reported after ten seconds, even if others go all the time', async () => {
    const scene = await HeartbeatScene.start({ reportsNamespaces: true });
    for (let index = 0; index < 30; index++) await create(scene, `n${index}`);
    await scene.clock.advance(20_000);
    const before = scene.writes.length;
    for (let index = 0; index < 30; index++) {
      await scene.member.client.delete(namespaces, { name: `n${index}` });
      await scene.clock.advance(900);
    }
    assert.equal((await scene.imc()).status?.namespaces?.['n10'], undefined);
    assert.ok(scene.writes.length - before <= 4, `${scene.writes.length - before} reports`);
    await scene.stop();
  });

  test('are reported later while the thread of the agent is busy', async () => {
    const turns = new LoopTurns(() => 0);
    const scene = await HeartbeatScene.start({ reportsNamespaces: true, turns });
    await scene.clock.advance(20_000);
    const before = scene.writes.length;
    let isBusy = true;
    const keepBusy = (): void => void (isBusy && turns.later(keepBusy));
    keepBusy();
    // The first piece of a busy thread that needs a spare turn does not wait.
    turns.whenSpare(() => undefined);
    await create(scene, 'sea');
    await scene.clock.advance(5000);
    assert.equal(scene.writes.length, before);
    isBusy = false;
    await turns.whenIdle();
    await scene.clock.advance(100);
    assert.equal((await scene.imc()).status?.namespaces?.['sea'], '');
    assert.equal(scene.writes.length, before + 1);
    await scene.stop();
  });

  test('that have just gone leave no timer behind', async () => {
    const pendingAfterStop = async (isDeleted: boolean): Promise<number> => {
      const scene = await HeartbeatScene.start({ reportsNamespaces: true });
      await create(scene, 'sea');
      await scene.clock.advance(20_000);
      if (isDeleted) await scene.member.client.delete(namespaces, { name: 'sea' });
      await flushPromises();
      await scene.heartbeat.stop();
      const { pending } = scene.clock;
      await scene.stop();
      return pending;
    };
    assert.equal(await pendingAfterStop(true), await pendingAfterStop(false));
  });

  test('that are new all the time cost one report in ten seconds', async () => {
    const scene = await HeartbeatScene.start({ reportsNamespaces: true });
    await scene.clock.advance(20_000);
    const before = scene.writes.length;
    for (let index = 0; index < 30; index++) {
      await create(scene, `n${index}`);
      await scene.clock.advance(1000);
    }
    assert.ok(scene.writes.length - before <= 4, `${scene.writes.length - before} reports`);
    await scene.clock.advance(10_000);
    assert.equal((await scene.imc()).status?.namespaces?.['n29'], '');
    await scene.stop();
  });
});
