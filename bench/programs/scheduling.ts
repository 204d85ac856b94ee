/**
 * Decisions of the scheduler, each one policy that it sees for the first time against 1,000 clusters, with evidence for each cluster. Runs in a
 * process of its own, on one core.
 */
import type { MemberCluster, PlacementPolicy } from '@flotilla/api';
import { Scheduler } from '@flotilla/scheduler';
import { seededRandom } from '@flotilla/testkit';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

const now = new Date('2026-01-01T12:00:00Z');
const random = seededRandom(14);
const below = (limit: number): number => Math.floor(random() * limit);

/** Of 1,000 clusters: 12 regions, 3 environments, every tenth is tainted, every fiftieth has lost its connection. */
const clusters = Array.from({ length: 1000 }, (_, index) => aCluster(index));

interface Mix {
  readonly what: string;
  readonly policy: () => PlacementPolicy;
  readonly numberOfClusters?: number;
}

/** In equal parts. */
const mix: readonly Mix[] = [
  {
    what: 'PickAll, affinity on labels, tolerations',
    policy: () => ({ placementType: 'PickAll', affinity: required(inRegion(), inRegion()), tolerations: [tolerated] }),
  },
  {
    what: 'PickAll, affinity on properties',
    policy: () => ({ placementType: 'PickAll', affinity: required(withProperties()) }),
  },
  {
    what: 'PickN 10 of all, two preferences',
    numberOfClusters: 10,
    policy: () => ({ placementType: 'PickN', affinity: preferred() }),
  },
  {
    what: 'PickN 10, affinity, spread over regions, tolerations',
    numberOfClusters: 10,
    policy: () => ({
      placementType: 'PickN',
      affinity: required(inRegion(), inRegion(), withProperties()),
      tolerations: [tolerated],
      topologySpreadConstraints: [{ topologyKey: 'region', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
    }),
  },
  {
    what: 'PickN 100, preferences, spread over regions and environments',
    numberOfClusters: 100,
    policy: () => ({
      placementType: 'PickN',
      affinity: preferred(),
      topologySpreadConstraints: [
        { topologyKey: 'region', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
        { topologyKey: 'env', maxSkew: 2, whenUnsatisfiable: 'ScheduleAnyway' },
      ],
    }),
  },
  {
    what: 'PickFixed 10',
    policy: () => ({ placementType: 'PickFixed', clusterNames: Array.from({ length: 10 }, () => nameOf(below(1000))) }),
  },
];

const tolerated = { key: 'maintenance', operator: 'Exists' } as const;

function inRegion() {
  return {
    labelSelector: {
      matchLabels: { env: ['prod', 'canary', 'test'][below(3)] ?? '' },
      matchExpressions: [
        {
          key: 'region',
          operator: 'In',
          values: [`region-${below(12)}`, `region-${below(12)}`, `region-${below(12)}`],
        },
      ],
    },
  };
}

function withProperties() {
  const matchExpressions = [
    { name: 'kubernetes-fleet.io/node-count', operator: 'Ge', values: [String(below(40))] },
    { name: 'resources.kubernetes-fleet.io/available-cpu', operator: 'Gt', values: [`${below(300)}500m`] },
    { name: 'resources.kubernetes-fleet.io/allocatable-memory', operator: 'Ge', values: [`${below(2000)}Gi`] },
  ];
  return { propertySelector: { matchExpressions } };
}

function required(...clusterSelectorTerms: (ReturnType<typeof inRegion> | ReturnType<typeof withProperties>)[]) {
  return { clusterAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms } } };
}

function preferred() {
  const sorter = { name: 'resources.kubernetes-fleet.io/available-cpu', sortOrder: 'Descending' } as const;
  return {
    clusterAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 40, preference: inRegion() },
        { weight: 60, preference: { propertySorter: sorter } },
      ],
    },
  };
}

function nameOf(index: number): string {
  return `cluster-${String(index).padStart(4, '0')}`;
}

function aCluster(index: number): MemberCluster {
  const time = index % 50 === 7 ? '2026-01-01T11:00:00Z' : '2026-01-01T11:59:30Z';
  const condition = (type: string) =>
    ({ type, status: 'True', reason: 'Reported', message: '', lastTransitionTime: time }) as const;
  const cpu = below(400);
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: {
      name: nameOf(index),
      labels: {
        region: `region-${below(12)}`,
        env: ['prod', 'canary', 'test'][below(3)] ?? '',
        ...Object.fromEntries(
          Array.from({ length: 10 }, (_, label) => [`team.example.com/label-${label}`, `value-${below(9)}`]),
        ),
      },
    },
    spec: {
      identity: { kind: 'User', name: 'agent' },
      heartbeatPeriodSeconds: 60,
      ...(index % 10 === 3 && { taints: [{ key: 'maintenance', value: 'weekend', effect: 'NoSchedule' as const }] }),
    },
    status: {
      agentStatus: [
        { type: 'MemberAgent', lastReceivedHeartbeat: time, conditions: [condition('Joined'), condition('Healthy')] },
      ],
      properties: { 'kubernetes-fleet.io/node-count': { value: String(below(60)), observationTime: time } },
      resourceUsage: {
        allocatable: { cpu: String(cpu + 20), memory: `${below(4000)}Gi` },
        available: { cpu: `${cpu}500m`, memory: `${below(2000)}Gi` },
      },
    },
  };
}

const decisionsInRound = 300;
const scheduler = new Scheduler();

function decide({ numberOfClusters }: Mix, policy: PlacementPolicy) {
  return scheduler.schedule({ policySnapshotName: 'shop-0', policy, numberOfClusters, clusters, bindings: [], now });
}

/** CPU of one decision in microseconds: the median of rounds, so that one with a garbage collection does not count. */
function cost(parts: readonly Mix[]): number {
  const rounds = Array.from({ length: 15 }, () => {
    const policies = Array.from({ length: decisionsInRound }, (_, index) => {
      const part = parts[index % parts.length];
      if (part === undefined) throw new Error('the mix is empty');
      return { part, policy: part.policy() };
    });
    const { user, system } = process.cpuUsage();
    for (const { part, policy } of policies) decide(part, policy);
    const used = process.cpuUsage({ user, system });
    return (used.user + used.system) / decisionsInRound;
  });
  return median(rounds);
}

/** Printing the evidence for all clusters, which a decision does not do. */
function printing(): number {
  const rounds = Array.from({ length: 15 }, () => {
    const outcomes = mix.map((part) => decide(part, part.policy()));
    const begin = performance.now();
    for (const { verdicts } of outcomes)
      if ([...verdicts].length < clusters.length) throw new Error('a cluster has no verdict');
    return ((performance.now() - begin) * 1000) / outcomes.length;
  });
  return median(rounds);
}

const common = { figure: 'scheduling' } as const;
const all = cost(mix);
const measurements: Measurement[] = [
  {
    ...common,
    what: 'decisions on 1,000 clusters',
    value: 1_000_000 / all,
    unit: 'per second',
    bar: { atLeast: 1000 },
  },
  { ...common, what: 'CPU of a decision', value: all, unit: 'µs', bar: { atMost: 1000 } },
  ...mix.map((part): Measurement => ({ ...common, what: part.what, value: cost([part]), unit: 'µs' })),
  { ...common, what: 'printing the evidence for 1,000 clusters', value: printing(), unit: 'µs' },
];
for (const measurement of measurements) process.send?.(measurement);
