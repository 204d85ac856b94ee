/**
 * OCM Placements over 1,000 ManagedClusters of a durable hub in this process, from their creation until their decisions and their status are
 * written. The first argument is what to measure, the second the data directory.
 */
import {
  conditionOf,
  internalMemberClusters,
  managedClusters,
  managedClusterSetBindings,
  managedClusterSets,
  memberClusters,
  memberNamespace,
  ocmPlacements,
  type ManagedCluster,
  type OcmPlacement,
  type OcmPlacementSpec,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startHub } from '@flotilla/fleet';
import {
  apiVersionOf,
  formatMicroTime,
  formatTime,
  leases,
  namespaces,
  type JsonObject,
  type Kind,
} from '@flotilla/kube';
import { countHubWrites, withoutHeartbeats, type HubWrites } from '../measured/hub-writes.ts';
import { followUntil } from '../measured/follow-until.ts';
import { inTime, timed, type Timed } from '../measured/timed.ts';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

const figure = 'ocm';
const namespace = 'bench';
const clusterCount = 1000;
const placementCount = 1000;
const restingCount = 2000;
const leaseName = 'managed-cluster-lease';
const regions = 50;
/** Writes at a time. */
const lanes = 32;
/** So many Placements until the code is compiled: a hub runs for weeks. */
const warmUps = 20;

const [, , what = 'placements', dataDirectory = ''] = process.argv;
/** Clusters of `placements` report nothing, so that others would call them unreachable. */
const controllersOf: Readonly<Record<string, readonly string[]>> = {
  placements: ['ocm-placement'],
  rest: ['managed-clusters', 'cluster-availability', 'ocm-placement'],
  mirrors: ['clusters', 'managed-clusters', 'cluster-sets', 'cluster-availability', 'ocm-placement'],
};
const controllers = controllersOf[what] ?? [];
const hub = await startHub({ dataDirectory, port: 0, settings: { controllers } });
const client = await hub.client();
try {
  const run = { rest, mirrors }[what] ?? measure;
  const measurements = await run(client);
  for (const measurement of measurements) process.send?.(measurement);
} finally {
  await client.close();
  await hub.stop();
}
process.disconnect?.();

async function measure(to: Client): Promise<Measurement[]> {
  await prepare(to);
  const all: Timed[] = [];
  for (let n = 0; n < warmUps + 5; n++) all.push(await timed(() => place(to, [`one-${n}`], () => ({}))));
  const warm = all.slice(warmUps);
  const one = { ms: median(warm.map(({ ms }) => ms)), cpuMs: 0, isCrowded: warm.some(({ isCrowded }) => isCrowded) };
  const names = Array.from({ length: placementCount }, (_, n) => `many-${n}`);
  const many = await timed(() => place(to, names, specOf));
  const others = await wokenBeside(to);
  return [
    inTime(figure, 'one Placement over 1,000 clusters, all selected', one, 50),
    inTime(figure, '1,000 Placements over 1,000 clusters', many, 20_000),
    {
      figure,
      what: 'Placements decided after a change of a label that does not concern them',
      unit: 'events',
      value: others,
      bar: { atMost: 0 },
    },
  ];
}

/** Writes beside those of leases, while 2,000 clusters renew theirs and 100 Placements select all of them. */
async function rest(to: Client): Promise<Measurement[]> {
  await prepareSet(to);
  const names = Array.from({ length: restingCount }, (_, index) => nameOf(index));
  await inLanes(names, (name) => report(to, name));
  await place(
    to,
    Array.from({ length: 100 }, (_, index) => `rest-${index}`),
    () => ({}),
  );
  await atRest();
  const writes = await countHubWrites(to);
  const value = { spec: { renewTime: formatMicroTime(new Date()) } };
  const renewed = await timed(() =>
    inLanes(names, async (name) => {
      await to.patch(leases, { namespace: name, name: leaseName }, { type: 'merge', value });
    }),
  );
  await atRest();
  const counts = [...writes.taken()].filter(([kind]) => kind !== leases.kind);
  writes.stop();
  const others = counts.reduce((sum, [, count]) => sum + count, 0);
  return [
    {
      figure,
      what: 'writes beside leases, 2,000 clusters with heartbeats',
      unit: 'requests',
      value: others,
      bar: { atMost: 0 },
    },
    { figure, what: 'CPU of 2,000 heartbeats', unit: 'ms', value: renewed.cpuMs, isDetail: true },
  ];
}

/** Writes beside those of heartbeats, while 2,000 members report that nothing has changed, and 100 Placements select their mirrors. */
async function mirrors(to: Client): Promise<Measurement[]> {
  await prepareSet(to);
  const names = Array.from({ length: restingCount }, (_, index) => nameOf(index));
  const areMirrored = await followUntil(to, managedClusters, names, isAvailable);
  await registerMembers(to, names);
  const mirrored = await timed(async () => {
    await inLanes(names, (name) => beat(to, name));
    await areMirrored.all;
    await atRest();
  });
  await place(
    to,
    Array.from({ length: 100 }, (_, index) => `rest-${index}`),
    () => ({}),
  );
  const writes = await countHubWrites(to);
  await untilQuiet(writes);
  const reported = await timed(async () => {
    await inLanes(names, (name) => beat(to, name));
    await atRest();
  });
  const { sum } = withoutHeartbeats(writes.taken());
  writes.stop();
  return [
    {
      figure,
      what: 'writes beside heartbeats, 2,000 members with mirrors',
      unit: 'requests',
      value: sum,
      bar: { atMost: 0 },
    },
    { figure, what: 'CPU of 2,000 reports of members', unit: 'ms', value: reported.cpuMs, isDetail: true },
    { figure, what: 'CPU of 2,000 members that join', unit: 'ms', value: mirrored.cpuMs, isDetail: true },
  ];
}

function isAvailable(cluster: ManagedCluster | undefined): boolean {
  return conditionOf(cluster?.status?.conditions, 'ManagedClusterConditionAvailable')?.status === 'True';
}

/** Resolves when each member may report. */
async function registerMembers(to: Client, names: readonly string[]): Promise<void> {
  const areReady = await followUntil(to, internalMemberClusters, names, (internal) => internal !== undefined);
  await inLanes(names, (name) => {
    const identity = { kind: 'User', name: `agent-of-${name}` };
    return create(to, memberClusters, { name }, { spec: { identity, heartbeatPeriodSeconds: 60 } });
  });
  await areReady.all;
}

/** The report of a member's agent: times and usage are new, the rest is what it was. */
async function beat(to: Client, name: string): Promise<void> {
  const time = formatTime(new Date());
  const conditions = ['Joined', 'Healthy'].map((type) => ({
    type,
    status: 'True',
    reason: 'Reported',
    message: '',
    lastTransitionTime: formatTime(new Date(0)),
  }));
  const amounts = { cpu: '8', memory: '32Gi' };
  const status = {
    agentStatus: [{ type: 'MemberAgent', lastReceivedHeartbeat: time, conditions }],
    properties: { region: { value: 'north', observationTime: time } },
    resourceUsage: { capacity: amounts, allocatable: amounts, available: { cpu: '3' }, observationTime: time },
  };
  const key = { namespace: memberNamespace(name), name };
  await to.patch(internalMemberClusters, key, { type: 'merge', value: { status } }, { subresource: 'status' });
}

/** A cluster that has joined and is available, with a lease in its namespace. */
async function report(to: Client, name: string): Promise<void> {
  const now = new Date();
  await create(to, managedClusters, { name }, { spec: { hubAcceptsClient: true } });
  await create(to, namespaces, { name });
  const spec = { leaseDurationSeconds: 60, renewTime: formatMicroTime(now) };
  await create(to, leases, { namespace: name, name: leaseName }, { spec });
  const conditions = ['HubAcceptedManagedCluster', 'ManagedClusterJoined', 'ManagedClusterConditionAvailable'].map(
    (type) => ({ type, status: 'True', reason: 'Reported', message: '', lastTransitionTime: formatTime(now) }),
  );
  const value = { status: { conditions } };
  await to.patch(managedClusters, { name }, { type: 'merge', value }, { subresource: 'status' });
}

/** Every tenth selects all clusters; the others ten of a region, by resources. */
function specOf(index: number): OcmPlacementSpec {
  if (index % 10 === 0) return {};
  const matchLabels = { region: `region-${index % regions}` };
  return {
    numberOfClusters: 10,
    predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels } } }],
    prioritizerPolicy: {
      mode: 'Additive',
      configurations: [{ scoreCoordinate: { type: 'BuiltIn', builtIn: 'ResourceAllocatableMemory' }, weight: 2 }],
    },
  };
}

/** How many Placements are decided that select by neither of the two values that a label has, before and after. */
async function wokenBeside(to: Client): Promise<number> {
  await atRest();
  const before = decisions();
  const value = { metadata: { labels: { region: 'region-2' } } };
  await to.patch(managedClusters, { name: nameOf(1) }, { type: 'merge', value });
  await atRest();
  const indexes = Array.from({ length: placementCount }, (_, index) => index);
  const concerned = indexes.filter((index) => index % 10 !== 0 && [1, 2].includes(index % regions));
  return Math.max(0, decisions() - before - concerned.length);
}

/** Longer than changes of clusters are collected. */
async function atRest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  while (!hub.isAtRest()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The events of 2,000 members that join are written long after all else. */
async function untilQuiet(writes: HubWrites): Promise<void> {
  for (let seconds = 0; seconds < 120; seconds++) {
    await atRest();
    if (withoutHeartbeats(writes.taken()).sum === 0) return;
  }
  throw new Error('the hub does not stop writing');
}

function decisions(): number {
  const counted = /^controller_runtime_reconcile_time_seconds_count\{controller="ocm-placement"\} (\d+)$/m;
  return Number(counted.exec(hub.server.metrics.text())?.[1] ?? 0);
}

/** Creates Placements, and waits until their status says what they have selected. */
async function place(to: Client, names: readonly string[], spec: (index: number) => OcmPlacementSpec): Promise<void> {
  const isWritten = (placement: OcmPlacement | undefined) => (placement?.status?.conditions ?? []).length > 0;
  const { all } = await followUntil(to, ocmPlacements, names, isWritten);
  await inLanes(names, (name, index) =>
    create(to, ocmPlacements, { namespace, name }, { spec: spec(index) as JsonObject }),
  );
  await all;
}

async function prepareSet(to: Client): Promise<void> {
  await create(to, namespaces, { name: namespace });
  const spec = { clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} } };
  await create(to, managedClusterSets, { name: 'all' }, { spec });
  await create(to, managedClusterSetBindings, { namespace, name: 'all' }, { spec: { clusterSet: 'all' } });
}

async function prepare(to: Client): Promise<void> {
  await prepareSet(to);
  const indexes = Array.from({ length: clusterCount }, (_, index) => index);
  await inLanes(indexes, async (index) => {
    const name = nameOf(index);
    const labels = { region: `region-${index % regions}` };
    await create(to, managedClusters, { name, labels }, { spec: { hubAcceptsClient: true } });
    const amounts = { cpu: String(index % 64), memory: `${index}Gi` };
    const value = { status: { allocatable: amounts, capacity: amounts } };
    await to.patch(managedClusters, { name }, { type: 'merge', value }, { subresource: 'status' });
  });
  await atRest();
}

function nameOf(index: number): string {
  return `cluster-${String(index).padStart(4, '0')}`;
}

async function create(to: Client, kind: Kind, metadata: JsonObject, parts: JsonObject = {}): Promise<void> {
  await to.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...parts });
}

async function inLanes<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) await work(item, index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
