import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  appliedWorks,
  conditionOf,
  hubDefinitions,
  internalMemberClusters,
  memberDefinitions,
  memberNamespace,
  works,
  type InternalMemberCluster,
} from '@flotilla/api';
import {
  configMaps,
  customResourceDefinitions,
  leases,
  MetricsRegistry,
  namespaces,
  silentLogger,
  type KubeObject,
} from '@flotilla/kube';
import { flushPromises, ManualClock, startTestServer, type TestServer } from '@flotilla/testkit';
import { startAgent, type AgentOptions, type RunningAgent } from './start-agent.ts';

const name = 'paris';
const namespace = memberNamespace(name);

describe('an agent', () => {
  test('joins, applies a Work, and releases it when it leaves', async () => {
    const pair = await Pair.start();
    const agent = await pair.agent();
    await agent.ready;
    assert.equal(agent.membership(), 'joined');
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } };
    await pair.hub.create(works, {
      metadata: { name: 'w', namespace },
      spec: { workload: { manifests: [manifest] } },
    });
    await pair.settle(agent);
    assert.ok(await pair.member.client.get(configMaps, { namespace: 'default', name: 'c' }));
    assert.equal((await pair.hub.client.get(works, { namespace, name: 'w' })).metadata.finalizers?.length, 1);
    await pair.setState('Leave');
    await pair.settle(agent);
    assert.equal(agent.membership(), 'left');
    assert.equal((await pair.hub.client.get(works, { namespace, name: 'w' })).metadata.finalizers, undefined);
    assert.ok(await pair.member.client.get(configMaps, { namespace: 'default', name: 'c' }));
    await pair.stop();
  });

  test('that is idle sends only heartbeats, and has one timer', async () => {
    const pair = await Pair.start();
    const before = pair.clock.pending;
    const agent = await pair.agent();
    await pair.settle(agent);
    assert.equal(pair.clock.pending - before, 1);
    pair.requests.length = 0;
    await pair.clock.advance(600_000);
    const perHeartbeat = ['hub PUT', 'member GET'];
    assert.deepEqual(
      pair.requests.sort(),
      perHeartbeat.flatMap((request) => Array.from({ length: 10 }, () => request)),
    );
    assert.equal(agent.isAtRest(), true);
    await pair.stop();
  });

  test('leaves no timer behind when it stops', async () => {
    const pair = await Pair.start();
    const before = pair.clock.pending;
    const agent = await pair.agent();
    await pair.settle(agent);
    await agent.stop();
    assert.equal(pair.clock.pending, before);
    assert.equal((await pair.status())?.agentStatus?.[0]?.conditions?.[1]?.status, 'True');
    await pair.stop();
  });

  test('refuses a member that does not serve AppliedWork, unless it may install the definition', async () => {
    const pair = await Pair.start({ isMemberEmpty: true });
    await assert.rejects(pair.agent(), {
      name: 'AppliedWorkMissing',
      message: 'the member does not serve AppliedWork of placement.kubernetes-fleet.io/v1beta1',
    });
    const agent = await pair.agent({ installsDefinitions: true });
    await agent.ready;
    await pair.stop();
  });

  test('retries while discovery of AppliedWork fails or its answer is invalid', async () => {
    const pair = await Pair.start();
    const nonsense = [
      { status: 503, body: '' },
      { status: 200, body: '<html>' },
      { status: 200, body: '[]' },
    ];
    let asked = 0;
    const member = pair.member.connect({
      wrap: (transport) => ({
        ...transport,
        send: async (request) => {
          const answer = request.path.startsWith('/apis/placement') ? nonsense[asked++] : undefined;
          if (answer === undefined) return transport.send(request);
          const body = (async function* () {
            yield await Promise.resolve(Buffer.from(answer.body));
          })();
          return { status: answer.status, headers: {}, body };
        },
      }),
    });
    const starting = pair.agent({ member });
    await pair.clock.advance(10_000);
    const agent = await starting;
    await pair.settle(agent);
    assert.equal(agent.membership(), 'joined');
    assert.equal(asked, 4);
    await pair.stop();
  });
});

describe('when the definition of AppliedWork is deleted on the member', () => {
  const name = 'appliedworks.placement.kubernetes-fleet.io';
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } };

  async function joined(options: Partial<AgentOptions>) {
    const pair = await Pair.start();
    const agent = await pair.agent(options);
    await pair.hub.create(works, { metadata: { name: 'w', namespace }, spec: { workload: { manifests: [manifest] } } });
    await pair.settle(agent);
    const before = await pair.member.client.get(appliedWorks, { name: 'w' });
    await pair.member.client.delete(customResourceDefinitions, { name });
    return { pair, agent, before };
  }

  test('an agent that may install it installs it and continues', async () => {
    const { pair, agent, before } = await joined({ installsDefinitions: true });
    await pair.clock.advance(120_000);
    const after = await pair.member.client.get(appliedWorks, { name: 'w' });
    assert.notEqual(after.metadata.uid, before.metadata.uid);
    assert.equal(after.status?.appliedResources?.length, 1);
    const held = await pair.member.client.get(configMaps, { namespace: 'default', name: 'c' });
    assert.ok(held.metadata.ownerReferences?.some(({ uid }) => uid === after.metadata.uid));
    await pair.settle(agent);
    assert.deepEqual(await pair.health(), ['True', '']);
    await pair.stop();
  });

  test('an agent that may install it reports that it is unhealthy while the deletion is blocked', async () => {
    const pair = await Pair.start();
    const agent = await pair.agent({ installsDefinitions: true });
    const spec = { workload: { manifests: [manifest] } };
    await pair.hub.create(works, { metadata: { name: 'w', namespace }, spec });
    await pair.settle(agent);
    const hold = (finalizers: string[] | null) =>
      pair.member.client.patch(appliedWorks, { name: 'w' }, { type: 'merge', value: { metadata: { finalizers } } });
    await hold(['test/held']);
    await pair.member.client.delete(customResourceDefinitions, { name });
    await pair.hub.create(works, { metadata: { name: 'other', namespace }, spec });
    await pair.clock.advance(120_000);
    const [status, message] = await pair.health();
    assert.equal(status, 'False');
    assert.match(
      String(message),
      /^AppliedWorks cannot be written: .* while custom resource definition is terminating$/,
    );
    await hold(null);
    await pair.clock.advance(120_000);
    for (const work of ['w', 'other']) assert.ok(await pair.member.client.get(appliedWorks, { name: work }));
    assert.deepEqual(await pair.health(), ['True', '']);
    await pair.stop();
  });

  test('an agent that may not install it reports that it is unhealthy until it exists again', async () => {
    const { pair, agent } = await joined({});
    await pair.clock.advance(120_000);
    assert.deepEqual(await pair.health(), [
      'False',
      'AppliedWorks cannot be written: the member does not serve AppliedWork of placement.kubernetes-fleet.io/v1beta1',
    ]);
    for (const definition of await memberDefinitions()) {
      await pair.member.client.create(customResourceDefinitions, definition as unknown as KubeObject);
    }
    await pair.clock.advance(120_000);
    await pair.settle(agent);
    assert.ok(await pair.member.client.get(appliedWorks, { name: 'w' }));
    assert.deepEqual(await pair.health(), ['True', '']);
    await pair.stop();
  });
});

describe('with two replicas', () => {
  test('one is active, and the other takes over at once when it stops', async () => {
    const pair = await Pair.start();
    const [one, other] = [await pair.replica('one'), await pair.replica('other')];
    await pair.clock.advance(5000);
    assert.deepEqual([one.membership(), other.membership()], ['joined', undefined]);
    const { items } = await pair.member.client.list(leases, { namespace: 'kube-system' });
    const held = items.filter(({ metadata }) => metadata.name?.endsWith('.fleet.azure.com'));
    assert.deepEqual(
      held.map(({ metadata, spec }) => [metadata.name, (spec as { holderIdentity?: string }).holderIdentity]),
      [
        ['136224848560.hub.fleet.azure.com', 'one'],
        ['136224848560.member.fleet.azure.com', 'one'],
      ],
    );
    await one.stop();
    await pair.clock.advance(5000);
    assert.equal(other.membership(), 'joined');
    await pair.stop();
  });
});

/** A hub and a member. */
class Pair {
  readonly clock: ManualClock;
  readonly hub: TestServer;
  readonly member: TestServer;
  /** Requests of agents as `hub PUT`. */
  readonly requests: string[] = [];
  readonly #agents: RunningAgent[] = [];

  private constructor(clock: ManualClock, hub: TestServer, member: TestServer) {
    this.clock = clock;
    this.hub = hub;
    this.member = member;
  }

  static async start({ isMemberEmpty = false } = {}): Promise<Pair> {
    const clock = new ManualClock();
    const hub = await startTestServer({ clock, definitions: await hubDefinitions() });
    const member = await startTestServer({ clock, definitions: isMemberEmpty ? [] : await memberDefinitions() });
    await hub.create(namespaces, { metadata: { name: namespace } });
    const spec = { state: 'Join', heartbeatPeriodSeconds: 60 };
    await hub.create(internalMemberClusters, { metadata: { name, namespace }, spec });
    return new Pair(clock, hub, member);
  }

  async agent(more: Partial<AgentOptions> = {}): Promise<RunningAgent> {
    const client = (side: 'hub' | 'member') =>
      this[side].connect({
        wrap: (transport) => ({
          ...transport,
          send: (request) => {
            this.requests.push(`${side} ${request.method}`);
            return transport.send(request);
          },
        }),
      });
    const agent = await startAgent({
      name,
      hub: client('hub'),
      member: client('member'),
      clock: this.clock,
      random: () => 0.5,
      logger: silentLogger,
      metrics: new MetricsRegistry(),
      ...more,
    });
    this.#agents.push(agent);
    return agent;
  }

  replica(identity: string): Promise<RunningAgent> {
    return this.agent({ election: { identity, namespace: 'kube-system' } });
  }

  async settle(agent: RunningAgent): Promise<void> {
    for (let step = 0; step < 500; step++) {
      await this.clock.advance(10);
      if (step > 1 && agent.isAtRest()) return;
    }
    assert.fail('the agent is still busy');
  }

  async setState(state: string): Promise<void> {
    await this.hub.client.patch(
      internalMemberClusters,
      { namespace, name },
      { type: 'merge', value: { spec: { state } } },
    );
    await flushPromises();
  }

  async status(): Promise<InternalMemberCluster['status']> {
    return (await this.hub.client.get(internalMemberClusters, { namespace, name })).status;
  }

  /** Status and message of the agent's Healthy condition. */
  async health(): Promise<unknown[]> {
    const [agent] = (await this.status())?.agentStatus ?? [];
    const { status, message } = conditionOf(agent?.conditions, 'Healthy') ?? {};
    return [status, message];
  }

  async stop(): Promise<void> {
    await Promise.all(this.#agents.map((agent) => agent.stop()));
    await this.hub.stop();
    await this.member.stop();
  }
}
