/** For tests: a hub and a member in memory, the applier between them, and a manual clock. */
import assert from 'node:assert/strict';
import {
  appliedWorks,
  hubDefinitions,
  memberDefinitions,
  memberNamespace,
  works,
  type AppliedWork,
  type ApplyStrategy,
  type Condition,
  type ManifestCondition,
  type Work,
} from '@flotilla/api';
import type { Transport } from '@flotilla/client';
import {
  apiVersionOf,
  MetricsRegistry,
  silentLogger,
  type JsonObject,
  type Kind,
  type KubeObject,
  type LiveView,
  type ObjectMeta,
} from '@flotilla/kube';
import {
  configMap as defaultConfigMap,
  deployment as defaultDeployment,
  ManualClock,
  settle,
  startTestServer,
  type TestServer,
} from '@flotilla/testkit';
import type { ApplierOptions } from './applier-options.ts';
import { startApplier, type Applier } from './start-applier.ts';

export const namespace = memberNamespace('paris');

export interface TestApplierOptions extends Partial<ApplierOptions> {
  /** Wrap the applier's connection to the hub, or to the member. */
  readonly throughHub?: (transport: Transport) => Transport;
  readonly throughMember?: (transport: Transport) => Transport;
  /** Without housekeeping, and so without a garbage collector, on the member. */
  readonly isBare?: boolean;
  readonly joins?: boolean;
  /** A hub that accepts any JSON as a manifest. */
  readonly isHubLenient?: boolean;
}

export class TestApplier {
  readonly clock: ManualClock;
  readonly hub: TestServer;
  readonly member: TestServer;
  applier: Applier;
  readonly #startApplier: () => Applier;
  readonly metrics: MetricsRegistry;
  /** The applier's requests to hub and member. */
  readonly requests: RequestRecorders;

  private constructor(parts: {
    readonly clock: ManualClock;
    readonly hub: TestServer;
    readonly member: TestServer;
    readonly options: TestApplierOptions;
  }) {
    const { clock, hub, member, options } = parts;
    const { throughHub = asIs, throughMember = asIs } = options;
    this.clock = clock;
    this.hub = hub;
    this.member = member;
    this.requests = { hub: new RequestRecorder(), member: new RequestRecorder() };
    this.metrics = new MetricsRegistry();
    this.#startApplier = () =>
      startApplier({
        name: 'paris',
        clock,
        random: () => 0.5,
        logger: silentLogger,
        metrics: this.metrics,
        hub: hub.connect({ wrap: (transport) => this.requests.hub.through(throughHub(transport)) }),
        member: member.connect({ wrap: (transport) => this.requests.member.through(throughMember(transport)) }),
        ...options,
      });
    this.applier = this.#startApplier();
  }

  static async start(options: TestApplierOptions = {}): Promise<TestApplier> {
    const clock = new ManualClock();
    const strict = await hubDefinitions();
    const definitions = options.isHubLenient === true ? strict.map(lenient) : strict;
    const hub = await startTestServer({ clock, definitions });
    const housekeeping = options.isBare !== true;
    const member = await startTestServer({ clock, definitions: await memberDefinitions(), housekeeping });
    await hub.create(kinds.namespace, { metadata: { name: namespace } });
    await member.create(kinds.namespace, { metadata: { name: 'apps' } });
    const fleet = new TestApplier({ clock, hub, member, options });
    if (options.joins !== false) fleet.applier.join();
    await fleet.settle();
    fleet.requests.hub.take();
    fleet.requests.member.take();
    return fleet;
  }

  async stop(): Promise<void> {
    await this.applier.stop();
    await this.hub.stop();
    await this.member.stop();
  }

  /** Replaces the applier by a new one, as a restart of the agent does. */
  async restart(): Promise<void> {
    await this.applier.stop();
    this.applier = this.#startApplier();
    this.applier.join();
    await this.settle();
  }

  /** Resolves when applier and housekeeping have nothing to do. */
  settle(): Promise<void> {
    const isAtRest = (): boolean => this.applier.isAtRest() && this.member.isAtRest();
    return settle(this.clock, isAtRest, { stepMs: 10, timeoutMs: 5000 });
  }

  /** Creates a Work and waits until it is reconciled. */
  async createWork(name: string, manifests: readonly JsonObject[], more: WorkOptions = {}): Promise<Work> {
    const { strategy, metadata = {}, ...spec } = more;
    await this.hub.create(works, {
      metadata: { name, namespace, ...metadata },
      spec: { workload: { manifests }, ...(strategy && { applyStrategy: strategy }), ...spec },
    });
    await this.settle();
    return this.work(name);
  }

  /** How many kinds of the member the applier watches. */
  watchCount(): number {
    return this.requests.member.watches;
  }

  work(name: string): Promise<Work> {
    return this.hub.client.get(works, { namespace, name });
  }

  /** Updates a Work and waits until it is reconciled. */
  async change(name: string, changed: (work: Work) => Work): Promise<Work> {
    await this.hub.client.update(works, changed(structuredClone(await this.work(name))));
    await this.settle();
    return this.work(name);
  }

  appliedWork(name: string): Promise<AppliedWork> {
    return this.member.client.get(appliedWorks, { name });
  }

  onMember(kind: Kind, name: string, inNamespace = 'apps'): Promise<KubeObject | undefined> {
    return this.member.find(kind, kind.namespaced ? { namespace: inNamespace, name } : { name });
  }

  /** Patches an object of the member as another client. */
  async changeOnMember(kind: Kind, name: string, value: JsonObject): Promise<void> {
    const key = kind.namespaced ? { namespace: 'apps', name } : { name };
    await this.member.client.patch(kind, key, { type: 'merge', value }, { fieldManager: 'other-client' });
  }
}

export interface WorkOptions {
  readonly strategy?: Partial<ApplyStrategy>;
  readonly metadata?: JsonObject;
  readonly reportBackStrategy?: JsonObject;
}

interface RequestRecorders {
  readonly hub: RequestRecorder;
  readonly member: RequestRecorder;
}

/** Records requests as `PATCH /api/v1/…`. */
export class RequestRecorder {
  readonly #requests: string[] = [];
  /** Number of open watches. */
  watches = 0;

  through(transport: Transport): Transport {
    const { view } = transport;
    return {
      ...transport,
      send: (request) => {
        this.#requests.push(`${request.method} ${request.path}`);
        return transport.send(request);
      },
      ...(view && { view: (request) => this.#counted(view(request)) }),
    };
  }

  #counted(view: LiveView | undefined): LiveView | undefined {
    return (
      view && {
        revision: () => view.revision(),
        size: () => view.size(),
        get: (key) => view.get(key),
        all: (inNamespace) => view.all(inNamespace),
        outline: (key) => view.outline(key),
        version: (key) => view.version(key),
        outlines: (inNamespace) => view.outlines(inNamespace),
        follow: (...how) => {
          const end = view.follow(...how);
          this.watches++;
          return () => {
            this.watches--;
            end();
          };
        },
      }
    );
  }

  /** Returns the requests since the last call. */
  take(): string[] {
    return this.#requests.splice(0);
  }

  /** The same without reads. */
  takeWrites(): string[] {
    return this.take().filter((request) => !request.startsWith('GET '));
  }
}

export const kinds = {
  namespace: kind('', 'v1', 'Namespace', 'namespaces', false),
  configMap: kind('', 'v1', 'ConfigMap', 'configmaps'),
  secret: kind('', 'v1', 'Secret', 'secrets'),
  deployment: kind('apps', 'v1', 'Deployment', 'deployments'),
  job: kind('batch', 'v1', 'Job', 'jobs'),
  definition: kind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', 'customresourcedefinitions', false),
  berth: kind('sea.example.com', 'v1', 'Berth', 'berths'),
} as const;

function kind(group: string, version: string, name: string, plural: string, namespaced = true): Kind {
  return { group, version, kind: name, plural, namespaced };
}

export function configMap(name: string, data: Record<string, string> = {}, metadata: ObjectMeta = {}): KubeObject {
  return defaultConfigMap(name, data, { namespace: 'apps', ...metadata });
}

export function deployment(name: string): KubeObject {
  return defaultDeployment(name, {}, { namespace: 'apps' });
}

export function berth(name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: 'sea.example.com/v1', kind: 'Berth', metadata: { name, namespace: 'apps' }, spec };
}

/** The CustomResourceDefinition of berths. */
export const berths: JsonObject = {
  apiVersion: apiVersionOf(kinds.definition),
  kind: 'CustomResourceDefinition',
  metadata: { name: 'berths.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    names: { kind: 'Berth', listKind: 'BerthList', plural: 'berths', singular: 'berth' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

/** `Applied=True AllManifestsApplied @1`, without messages and times. */
export function summariesOf(conditions: readonly Condition[] | undefined): string[] {
  return (conditions ?? []).map(({ type, status, reason, observedGeneration }) =>
    [`${type}=${status}`, reason, ...(observedGeneration === undefined ? [] : [`@${observedGeneration}`])].join(' '),
  );
}

export function manifestOf(work: Work, ordinal = 0): ManifestCondition {
  const manifest = work.status?.manifestConditions?.[ordinal];
  assert.ok(manifest, `the status has no entry for manifest ${ordinal}`);
  return manifest;
}

/** The conditions of one manifest, as `summariesOf` prints them. */
export function conditionsOf(work: Work, ordinal = 0): string[] {
  return summariesOf(manifestOf(work, ordinal).conditions);
}

function asIs(transport: Transport): Transport {
  return transport;
}

function lenient<T>(definition: T): T {
  const text = JSON.stringify(definition, (key, value: unknown) =>
    key === 'x-kubernetes-embedded-resource' ? undefined : value,
  );
  return JSON.parse(text) as T;
}
