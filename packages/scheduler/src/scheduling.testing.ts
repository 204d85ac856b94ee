/** For tests: clusters, bindings, and what becomes of them when an outcome is written. */
import type { Binding, ClusterDecision, MemberCluster } from '@flotilla/api';
import type { SchedulingOutcome } from './outcome.ts';
import { Scheduler, type SchedulingRequest } from './scheduler.ts';

export const now = new Date('2026-01-01T12:00:00Z');

export interface ClusterParts {
  readonly labels?: Record<string, string>;
  readonly properties?: Record<string, string>;
  readonly resourceUsage?: NonNullable<MemberCluster['status']>['resourceUsage'];
  readonly taints?: MemberCluster['spec']['taints'];
  readonly namespaces?: Record<string, string>;
  /** Condition NamespaceCollectionSucceeded; absent if the cluster does not report namespaces. */
  readonly collectsNamespaces?: 'True' | 'False';
  readonly isLeaving?: boolean;
  /** Null: the agent never reported. */
  readonly agent?: {
    readonly heartbeat?: string | undefined;
    readonly joined?: 'True' | 'False';
    readonly healthy?: 'True' | 'False' | undefined;
    readonly healthSince?: string;
  } | null;
}

/** A cluster that is eligible, unless its parts say otherwise. */
export function aCluster(name: string, parts: ClusterParts = {}): MemberCluster {
  const { labels = {}, taints, isLeaving, properties, resourceUsage, namespaces, collectsNamespaces } = parts;
  const properly = Object.entries(properties ?? {}).map(([key, value]) => [key, { value, observationTime: past }]);
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: { name, uid: `uid-${name}`, labels, ...(isLeaving && { deletionTimestamp: past }) },
    spec: {
      identity: { kind: 'User', name: 'agent' },
      heartbeatPeriodSeconds: 60,
      ...(taints && { taints }),
    },
    status: {
      agentStatus: agentStatusOf(parts.agent),
      properties: Object.fromEntries(properly) as NonNullable<NonNullable<MemberCluster['status']>['properties']>,
      ...(resourceUsage && { resourceUsage }),
      ...(namespaces && { namespaces }),
      ...(collectsNamespaces && {
        conditions: [condition('NamespaceCollectionSucceeded', collectsNamespaces, past)],
      }),
    },
  };
}

const past = '2026-01-01T11:00:00Z';

function agentStatusOf(agent: ClusterParts['agent']): NonNullable<NonNullable<MemberCluster['status']>['agentStatus']> {
  if (agent === null) return [];
  const {
    heartbeat = '2026-01-01T11:59:30Z',
    joined,
    healthy,
    healthSince = past,
  } = {
    joined: 'True' as const,
    healthy: 'True' as const,
    ...agent,
  };
  return [
    {
      type: 'MemberAgent',
      lastReceivedHeartbeat: heartbeat,
      conditions: [
        ...(joined === undefined ? [] : [condition('Joined', joined, past)]),
        ...(healthy === undefined ? [] : [condition('Healthy', healthy, healthSince)]),
      ],
    },
  ];
}

function condition(type: string, status: 'True' | 'False', lastTransitionTime: string) {
  return { type, status, reason: 'Reported', message: '', lastTransitionTime };
}

/** KubeFleet's fleet in test/scheduler. The left cluster is leaving, the unhealthy one was last heard of 25 hours ago. */
export const suiteFleet: readonly MemberCluster[] = [
  suiteCluster('cluster-1-east-prod', '2', '100', [4, 3, 2], [4, 3, 2]),
  suiteCluster('cluster-2-east-prod', '4', '60', [8, 7, 4], [8, 7, 4]),
  suiteCluster('cluster-3-east-canary', '6', '40', [12, 11, 6], [12, 11, 6]),
  suiteCluster('cluster-4-central-prod', '2', '80', [8, 6, 2], [4, 2, 1]),
  suiteCluster('cluster-5-central-prod', '8', '40', [32, 30, 8], [16, 14, 4]),
  suiteCluster('cluster-6-west-prod', '2', '60', [4, 2, 1], [8, 6, 4]),
  suiteCluster('cluster-7-west-canary', '8', '20', [16, 14, 4], [32, 30, 16]),
  suiteCluster('unhealthy-cluster-east-prod', '1', '100', [8, 6, 0], [8, 6, 0], {
    agent: { heartbeat: '2025-12-31T11:00:00Z' },
  }),
  aCluster('left-cluster-central-prod', { labels: { region: 'central', env: 'prod' }, isLeaving: true }),
];

function suiteCluster(
  name: string,
  nodes: string,
  efficiency: string,
  cpu: readonly [number, number, number],
  gibibytes: readonly [number, number, number],
  more: ClusterParts = {},
): MemberCluster {
  const [, region = '', env = ''] = /-(east|central|west)-(prod|canary)$/.exec(name) ?? [];
  const usage = (index: 0 | 1 | 2) => ({ cpu: String(cpu[index]), memory: `${gibibytes[index]}Gi` });
  return aCluster(name, {
    labels: { region, env },
    properties: { 'kubernetes-fleet.io/node-count': nodes, 'energy-efficiency': efficiency },
    resourceUsage: { capacity: usage(0), allocatable: usage(1), available: usage(2) },
    ...more,
  });
}

/** By the digits in their names: `1`, `7`; `8` is the unhealthy cluster and `9` the left one. */
export function shortName(cluster: string): string {
  if (cluster.startsWith('unhealthy')) return '8';
  return cluster.startsWith('left') ? '9' : (cluster.split('-')[1] ?? '');
}

export function aBinding(
  cluster: string,
  state: Binding['spec']['state'],
  snapshot: string,
  metadata: Partial<Binding['metadata']> = {},
): Binding {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'ClusterResourceBinding',
    metadata: {
      name: `shop-${cluster}`,
      uid: `uid-${cluster}`,
      finalizers: ['kubernetes-fleet.io/scheduler-crb-cleanup'],
      ...metadata,
    },
    spec: {
      state,
      resourceSnapshotName: '',
      schedulingPolicySnapshotName: snapshot,
      targetCluster: cluster,
      clusterDecision: { clusterName: cluster, selected: true, reason: 'picked' },
    },
  };
}

/** Schedules snapshot `shop-1` on the suite's fleet at `now`, unless the test says otherwise. */
export function schedule(given: Partial<SchedulingRequest>, scheduler = new Scheduler()): SchedulingOutcome {
  return scheduler.schedule({
    policySnapshotName: 'shop-1',
    policy: undefined,
    clusters: suiteFleet,
    bindings: [],
    now,
    ...given,
  });
}

/** Each change in a few words: `create cluster-1`, `unschedule cluster-2`. */
export function changesIn({ changes }: SchedulingOutcome): string[] {
  return changes.map((change) => {
    if (change.type === 'create') return `create ${change.cluster}`;
    const state = change.type === 'patch' ? ` ${change.spec.state}` : '';
    return `${change.type} ${change.binding.spec.targetCluster}${state}`;
  });
}

/** The bindings after the outcome is written, as the rollout leaves them. */
export function applied(bindings: readonly Readonly<Binding>[], { changes }: SchedulingOutcome): Binding[] {
  const after = new Map(bindings.map((binding) => [binding.metadata.name, { ...binding }]));
  for (const change of changes) {
    if (change.type === 'create') {
      const binding = aBinding(change.cluster, 'Scheduled', '', { name: `shop-${change.cluster}-${after.size}` });
      after.set(binding.metadata.name, { ...binding, spec: change.spec });
      continue;
    }
    const { binding } = change;
    if (change.type === 'release') after.delete(binding.metadata.name);
    else if (change.type === 'patch')
      after.set(binding.metadata.name, { ...binding, spec: { ...binding.spec, ...change.spec } });
    else after.set(binding.metadata.name, unscheduled(binding));
  }
  return [...after.values()];
}

export function unscheduled(binding: Readonly<Binding>): Binding {
  const annotations = { 'kubernetes-fleet.io/previous-binding-state': binding.spec.state };
  return {
    ...binding,
    metadata: { ...binding.metadata, annotations },
    spec: { ...binding.spec, state: 'Unscheduled' },
  };
}

/** `7(0,-1)`: short name, affinity score, spread score. Without scores the name alone. */
export function scored({ clusterName, clusterScore }: ClusterDecision): string {
  const score = clusterScore && `(${clusterScore.affinityScore},${clusterScore.priorityScore})`;
  return `${shortName(clusterName)}${score ?? ''}`;
}
