/** For tests: a hub and a member in memory, and the heartbeat from member to hub, with a manual clock. */
import { definitions, internalMemberClusters, memberNamespace, type InternalMemberCluster } from '@flotilla/api';
import type { Transport, TransportRequest, TransportResponse } from '@flotilla/client';
import { events, MetricsRegistry, namespaces, silentLogger, type KubeObject } from '@flotilla/kube';
import { EventRecorder, InformerSet } from '@flotilla/runtime';
import { flushPromises, ManualClock, startTestServer, type TestServer } from '@flotilla/testkit';
import type { LoopTurns } from '@flotilla/timing';
import { PropertyCollector } from '../properties/property-collector.ts';
import type { PropertyProvider } from '../properties/property-provider.ts';
import { Heartbeat, type Joining } from './heartbeat.ts';

const name = 'paris';
const namespace = memberNamespace(name);

export interface SceneOptions {
  readonly provider?: PropertyProvider;
  /** Default: false, unlike that of an agent. */
  readonly reportsNamespaces?: boolean;
  readonly applier?: Joining;
  readonly state?: string;
  readonly random?: number;
  readonly turns?: LoopTurns;
}

/** Returns an answer in place of the server's, or undefined to send the request. */
export type Intercept = (request: TransportRequest) => TransportResponse | undefined;

export class HeartbeatScene {
  readonly clock: ManualClock;
  readonly hub: TestServer;
  readonly member: TestServer;
  readonly metrics = new MetricsRegistry();
  /** Calls of the applier: `join` and `leave`. */
  readonly applierCalls: string[] = [];
  /** Writes of the heartbeat on the hub, events aside. */
  readonly writes: string[] = [];
  onHub: Intercept = () => undefined;
  onMember: Intercept = () => undefined;
  readonly #stopping = new AbortController();
  #heartbeat: Heartbeat | undefined;
  #events: EventRecorder | undefined;

  private constructor(clock: ManualClock, hub: TestServer, member: TestServer) {
    this.clock = clock;
    this.hub = hub;
    this.member = member;
  }

  static async start(options: SceneOptions = {}): Promise<HeartbeatScene> {
    const clock = new ManualClock();
    const kinds = await definitions();
    const own = kinds.filter(({ spec }) => spec.names.kind === 'InternalMemberCluster');
    const hub = await startTestServer({ clock, definitions: own });
    const scene = new HeartbeatScene(clock, hub, await startTestServer({ clock }));
    await hub.create(namespaces, { metadata: { name: namespace } });
    await hub.create(internalMemberClusters, {
      metadata: { name, namespace },
      spec: { state: options.state ?? 'Join', heartbeatPeriodSeconds: 60 },
    });
    scene.#run(options);
    await flushPromises();
    return scene;
  }

  get heartbeat(): Heartbeat {
    if (this.#heartbeat === undefined) throw new Error('the heartbeat is not running');
    return this.#heartbeat;
  }

  /** The InternalMemberCluster on the hub. */
  imc(): Promise<InternalMemberCluster> {
    return this.hub.client.get(internalMemberClusters, { namespace, name });
  }

  async changeSpec(spec: Partial<InternalMemberCluster['spec']>): Promise<void> {
    const before = await this.imc();
    await this.hub.client.update(internalMemberClusters, { ...before, spec: { ...before.spec, ...spec } });
    await flushPromises();
  }

  /** Events as `Normal InternalMemberClusterJoined`, in order of creation. */
  async events(): Promise<string[]> {
    await this.#events?.flush();
    const { items } = await this.hub.client.list(events, { namespace });
    const sorted = items.map((event) => event as KubeObject & { type: string; reason: string });
    return sorted
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ type, reason }) => `${type} ${reason}`);
  }

  /** The agent's conditions as `Joined True InternalMemberClusterJoined`. */
  async agent(): Promise<string[]> {
    const { status } = await this.imc();
    return summariesOf(status?.agentStatus?.find(({ type }) => type === 'MemberAgent')?.conditions);
  }

  /** The conditions of the InternalMemberCluster, in the same form. */
  async conditions(): Promise<string[]> {
    return summariesOf((await this.imc()).status?.conditions);
  }

  /** Another agent takes the place of this one. */
  async restart(options: SceneOptions = {}): Promise<void> {
    await this.#heartbeat?.stop();
    this.#run(options, new MetricsRegistry());
    await flushPromises();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#heartbeat?.stop();
    await this.#events?.stop();
    await this.hub.stop();
    await this.member.stop();
  }

  #run(
    { provider, reportsNamespaces = false, random: fixed = 0.5, applier, turns }: SceneOptions,
    metrics = this.metrics,
  ): void {
    const { clock, applierCalls } = this;
    const random = (): number => fixed;
    const logger = silentLogger;
    const hub = this.hub.connect({ wrap: (transport) => this.#intercepted(transport, 'onHub') });
    const member = this.member.connect({ wrap: (transport) => this.#intercepted(transport, 'onMember') });
    const informers = new InformerSet({ client: member, clock, random, logger });
    const recorder = new EventRecorder({ client: hub, clock, random, logger });
    this.#events = recorder;
    this.#heartbeat = new Heartbeat({
      name,
      hub,
      member,
      informers: new InformerSet({ client: hub, clock, random, logger, namespace }),
      properties: new PropertyCollector(provider, {
        member,
        informers,
        clock,
        logger,
        signal: this.#stopping.signal,
        reportsNamespaces,
        namespacesChanged: (change) => this.#heartbeat?.reportSoon(change),
      }),
      events: recorder,
      applier: applier ?? {
        join: () => applierCalls.push('join'),
        leave: () => {
          applierCalls.push('leave');
          return Promise.resolve();
        },
      },
      clock,
      turns,
      random,
      logger,
      metrics,
    });
  }

  #intercepted(transport: Transport, where: 'onHub' | 'onMember'): Transport {
    return {
      ...transport,
      send: (request) => {
        const isWrite = request.method !== 'GET' && !request.path.includes('/events');
        if (where === 'onHub' && isWrite) this.writes.push(`${request.method} ${request.path}`);
        const answer = this[where](request);
        return answer === undefined ? transport.send(request) : Promise.resolve(answer);
      },
    };
  }
}

function summariesOf(conditions: readonly { type: string; status: string; reason: string }[] | undefined): string[] {
  return (conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

/** An error answer of an API server. */
export function answerOf(code: number, reason: string): TransportResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code };
  const bytes = Buffer.from(JSON.stringify(status));
  const body = (async function* () {
    yield await Promise.resolve(bytes);
  })();
  return { status: code, headers: { 'content-type': 'application/json' }, body };
}
