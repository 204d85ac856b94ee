/** For tests: a hub in memory with a manual clock. The test acts as the agents. */
import assert from 'node:assert/strict';
import {
  clusterApi,
  definitions,
  fleetNamespace,
  internalMemberClusters,
  memberClusters,
  memberNamespace,
  placementApi,
  works,
  type AgentStatus,
  type Condition,
  type InternalMemberClusterStatus,
  type MemberCluster,
  type MemberClusterSpec,
} from '@flotilla/api';
import { bootstrap, createApiServer, openEngine, type ApiServer } from '@flotilla/apiserver';
import { createClient, inProcessTransport, type Client, type Transport, type TransportRequest } from '@flotilla/client';
import { installDefinitions } from '@flotilla/fleet';
import { startHousekeeping, type Housekeeping } from '@flotilla/housekeeping';
import {
  administrator,
  apiErrors,
  apiVersionOf,
  clusterRoleBindings,
  clusterRoles,
  events,
  formatTime,
  isNotFound,
  MetricsRegistry,
  namespaces,
  rbacGroup,
  silentLogger,
  type Kind,
  type KubeObject,
  type ObjectKey,
  type User,
} from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { hubRules } from './hub-role.ts';
import { startHubControllers, type HubControllers, type HubSettings } from './start-hub-controllers.ts';

const hubUser: User = { name: 'hub', groups: ['system:authenticated'] };
const random = (): number => 0.5;

export class TestHub {
  readonly clock: ManualClock;
  /** The administrator's. */
  readonly client: Client;
  metrics = new MetricsRegistry();
  readonly #api: ApiServer;
  readonly #housekeeping: Housekeeping;
  readonly #settings: HubSettings;
  /** Which requests of the controllers the server refuses. */
  refuses: (request: TransportRequest) => boolean = () => false;
  #controllers: HubControllers | undefined;

  private constructor(clock: ManualClock, api: ApiServer, housekeeping: Housekeeping, settings: HubSettings) {
    this.clock = clock;
    this.#api = api;
    this.#housekeeping = housekeeping;
    this.#settings = settings;
    this.client = this.as(administrator);
  }

  static async start(settings: HubSettings = {}): Promise<TestHub> {
    const clock = new ManualClock();
    const engine = await openEngine({ memory: true }, { clock });
    const api = createApiServer({ store: engine.store('hub'), clock });
    await bootstrap(api, 6443);
    const client = createClient(inProcessTransport(api.handle, administrator, api.view), { clock, random });
    const housekeeping = await startHousekeeping({ client, clock, random, rootCertificate: 'PEM' });
    const hub = new TestHub(clock, api, housekeeping, settings);
    await hub.#furnish(settings.networkingAgents ?? false);
    await hub.startControllers();
    return hub;
  }

  as(user: User): Client {
    return createClient(inProcessTransport(this.#api.handle, user, this.#api.view), { clock: this.clock, random });
  }

  /** How many writes the server has seen. */
  get revision(): number {
    return this.#api.parts.store.revision;
  }

  async startControllers(): Promise<void> {
    const { clock } = this;
    this.metrics = new MetricsRegistry();
    this.#controllers = startHubControllers({
      client: createClient(this.#refusing(hubUser), { clock, random }),
      clock,
      random,
      logger: silentLogger,
      metrics: this.metrics,
      settings: this.#settings,
    });
    await this.#controllers.ready;
    await this.settle();
  }

  #refusing(user: User): Transport {
    const transport = inProcessTransport(this.#api.handle, user, this.#api.view);
    const refusal = apiErrors.requestEntityTooLarge('the test says so');
    return {
      ...transport,
      send: (request) => (this.refuses(request) ? Promise.reject(refusal) : transport.send(request)),
    };
  }

  async stopControllers(): Promise<void> {
    await this.#controllers?.stop();
  }

  async stop(): Promise<void> {
    await this.stopControllers();
    await this.#housekeeping.stop();
    this.#api.stop();
  }

  /** Advances the clock until no controller has work. */
  async settle(seconds = 60): Promise<void> {
    for (let step = 0; step < seconds * 10; step++) {
      await this.clock.advance(100);
      if (step > 1 && this.#housekeeping.isAtRest() && this.#controllers?.isAtRest() !== false) return;
    }
    assert.fail(`the hub is still busy after ${seconds} seconds`);
  }

  async find<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.client.get(kind, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async addMember(name: string, spec: Partial<MemberClusterSpec> = {}): Promise<void> {
    const object = {
      apiVersion: apiVersionOf(clusterApi),
      kind: 'MemberCluster',
      metadata: { name },
      spec: { identity: { kind: 'User', name: `agent-of-${name}` }, heartbeatPeriodSeconds: 60, ...spec },
    };
    await this.client.create(memberClusters, object);
    await this.settle();
  }

  member(name: string): Promise<MemberCluster> {
    return this.client.get(memberClusters, { name });
  }

  /** Status and reason of each condition. */
  async conditions(name: string): Promise<Record<string, string>> {
    const { status } = await this.member(name);
    return Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, `${one.status} ${one.reason}`]));
  }

  /** Writes the report of a member's agent. */
  async report(name: string, status: InternalMemberClusterStatus): Promise<void> {
    const key = { namespace: memberNamespace(name), name };
    const internal = await this.client.get(internalMemberClusters, key);
    await this.client.update(internalMemberClusters, { ...internal, status }, { subresource: 'status' });
  }

  heartbeat(joined: Condition['status'], type = 'MemberAgent'): AgentStatus {
    const lastTransitionTime = formatTime(new Date(0));
    return {
      type,
      lastReceivedHeartbeat: formatTime(new Date(this.clock.now())),
      conditions: [
        { type: 'Joined', status: joined, reason: 'Said', message: '', lastTransitionTime },
        { type: 'Healthy', status: 'True', reason: 'Said', message: '', lastTransitionTime },
      ],
    };
  }

  async addWork(member: string, name: string, finalizers: string[] = []): Promise<void> {
    const metadata = { namespace: memberNamespace(member), name, finalizers };
    await this.client.create(works, { apiVersion: apiVersionOf(placementApi), kind: 'Work', metadata });
  }

  async events(): Promise<string[]> {
    const { items } = await this.client.list(events, { namespace: 'default' });
    return items.map(({ reason }) => reason as string);
  }

  async #furnish(hasNetworkingAgents: boolean): Promise<void> {
    const wanted = new Set(['MemberCluster', 'InternalMemberCluster', 'Work', 'ClusterProfile']);
    const all = await definitions();
    await installDefinitions(
      this.client,
      all.filter(({ spec }) => wanted.has(spec.names.kind)),
    );
    await this.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: fleetNamespace } });
    const { name } = hubUser;
    const apiVersion = apiVersionOf(clusterRoles);
    await this.client.create(clusterRoles, {
      apiVersion,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [...hubRules(hasNetworkingAgents)],
    });
    await this.client.create(clusterRoleBindings, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      subjects: [{ apiGroup: rbacGroup, kind: 'User', name }],
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    });
  }
}
