import {
  clusterApi,
  clusterProfiles,
  clusterResourcePlacementDisruptionBudgets,
  clusterResourcePlacementEvictions,
  clusterResourcePlacementStatuses,
  definitions,
  families,
  fleetNamespace,
  internalMemberClusters,
  memberClusters,
  memberNamespace,
  ocmGroup,
  overrideFamilies,
  works,
  type AgentStatus,
  type Condition,
  type InternalMemberClusterStatus,
  type MemberCluster,
  type MemberClusterSpec,
} from '@flotilla/api';
import type { Client, Transport, TransportRequest } from '@flotilla/client';
import {
  hubRules,
  isStageEnabled,
  ocmStages,
  startHubControllers,
  type HubControllers,
  type HubSettings,
} from '@flotilla/controllers';
import {
  apiErrors,
  apiVersionOf,
  clusterRoleBindings,
  clusterRoles,
  events,
  formatTime,
  MetricsRegistry,
  namespaces,
  rbacGroup,
  silentLogger,
  type Kind,
  type KubeObject,
  type ObjectKey,
  type User,
} from '@flotilla/kube';
import type { ManualClock } from './manual-clock.ts';
import { settle } from './settle.ts';
import { TestServer } from './test-server.ts';

const hubUser: User = { name: 'hub', groups: ['system:authenticated'] };

/** What the controllers read and write. */
const hubKinds: ReadonlySet<string> = new Set([
  ...[memberClusters, internalMemberClusters, works, clusterProfiles, clusterResourcePlacementStatuses].map(
    ({ kind }) => kind,
  ),
  ...[clusterResourcePlacementEvictions, clusterResourcePlacementDisruptionBudgets].map(({ kind }) => kind),
  ...families.flatMap(({ placement, policySnapshot, resourceSnapshot, binding }) =>
    [placement, policySnapshot, resourceSnapshot, binding].map(({ kind }) => kind),
  ),
  ...families.flatMap(({ updateRun, updateStrategy, approvalRequest }) =>
    [updateRun, updateStrategy, approvalRequest].map(({ kind }) => kind),
  ),
  ...overrideFamilies.flatMap(({ override, snapshot }) => [override.kind, snapshot.kind]),
]);

/** Most tests need none of OCM's kinds, which take time to install. */
const withoutOcm = ['*', ...ocmStages.map((stage) => `-${stage}`)];

/** A hub in memory, without sockets and without members: the test plays their agents. */
export class TestHub {
  readonly server: TestServer;
  /** Metrics of the controllers. A restart of the controllers replaces them. */
  metrics = new MetricsRegistry();
  /** Requests of the controllers that match fail. */
  shouldRefuse: (request: TransportRequest) => boolean = () => false;
  readonly #settings: HubSettings;
  #controllers: HubControllers | undefined;

  private constructor(server: TestServer, settings: HubSettings) {
    this.server = server;
    this.#settings = settings;
  }

  static async start(settings: HubSettings = {}): Promise<TestHub> {
    const { controllers = withoutOcm } = settings;
    const hasOcm = ocmStages.some((stage) => isStageEnabled(stage, controllers));
    const kinds = (await definitions()).filter(({ spec: { group, names } }) =>
      group === ocmGroup ? hasOcm : hubKinds.has(names.kind),
    );
    const server = await TestServer.start({ housekeeping: true, definitions: kinds });
    const hub = new TestHub(server, { ...settings, controllers });
    await hub.#grantHub(settings.networkingAgents ?? false);
    await hub.startControllers();
    return hub;
  }

  get clock(): ManualClock {
    return this.server.clock;
  }

  /** The administrator's client. */
  get client(): Client {
    return this.server.client;
  }

  /** The revision of the store, which grows with every write. */
  get revision(): number {
    return this.server.store.revision;
  }

  async startControllers(): Promise<void> {
    const { clock } = this;
    this.metrics = new MetricsRegistry();
    this.#controllers = startHubControllers({
      client: this.server.connect({ user: hubUser, wrap: (transport) => this.#refusing(transport) }),
      clock,
      random: () => 0.5,
      logger: silentLogger,
      metrics: this.metrics,
      settings: this.#settings,
    });
    await this.#controllers.ready;
    await this.settle();
  }

  #refusing(transport: Transport): Transport {
    const refusal = apiErrors.requestEntityTooLarge('refused by the test');
    return {
      ...transport,
      send: (request) => (this.shouldRefuse(request) ? Promise.reject(refusal) : transport.send(request)),
    };
  }

  async stopControllers(): Promise<void> {
    await this.#controllers?.stop();
  }

  async stop(): Promise<void> {
    await this.stopControllers();
    await this.server.stop();
  }

  /** Advances the clock until controllers and housekeeping have nothing to do. */
  settle(): Promise<void> {
    return settle(this.clock, () => this.server.isAtRest() && this.#controllers?.isAtRest() !== false);
  }

  /** The object, or undefined if there is none. */
  find<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined> {
    return this.server.find(kind, key);
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
        { type: 'Joined', status: joined, reason: 'Reported', message: '', lastTransitionTime },
        { type: 'Healthy', status: 'True', reason: 'Reported', message: '', lastTransitionTime },
      ],
    };
  }

  async addWork(member: string, name: string, finalizers: string[] = []): Promise<void> {
    const metadata = { namespace: memberNamespace(member), name, finalizers };
    await this.server.create(works, { metadata });
  }

  async events(): Promise<string[]> {
    const { items } = await this.client.list(events, { namespace: 'default' });
    return items.map(({ reason }) => reason as string);
  }

  async #grantHub(hasNetworkingAgents: boolean): Promise<void> {
    const { name } = hubUser;
    await this.server.create(namespaces, { metadata: { name: fleetNamespace } });
    await this.server.create(clusterRoles, { metadata: { name }, rules: [...hubRules(hasNetworkingAgents)] });
    await this.server.create(clusterRoleBindings, {
      metadata: { name },
      subjects: [{ apiGroup: rbacGroup, kind: 'User', name }],
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    });
  }
}
