import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Binding, ClusterSelectorTerm, MemberCluster, PlacementPolicy } from '@flotilla/api';
import * as fc from 'fast-check';
import { Scheduler, type SchedulingRequest } from './scheduler.ts';
import { aBinding, aCluster, applied, changesIn, now, schedule, unscheduled } from './scheduling.testing.ts';

const runs = { seed: 14, numRuns: 300 };

const region = fc.constantFrom('a', 'b', 'c', 'd');

interface Parts {
  readonly region: string | undefined;
  readonly env: string;
  readonly nodes: number;
  readonly isTainted: boolean;
  readonly state: 'fine' | 'silent' | 'leaving';
}

const usually = <T>(value: T, weight: number, ...others: T[]) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const parts: fc.Arbitrary<Parts> = fc.record({
  region: fc.option(region, { nil: undefined, freq: 6 }),
  env: fc.constantFrom('prod', 'test'),
  nodes: fc.integer({ min: 0, max: 9 }),
  isTainted: usually(false, 6, true),
  state: usually<Parts['state']>('fine', 8, 'silent', 'leaving'),
});

function clusterFrom(one: Parts, index: number): MemberCluster {
  return aCluster(`cluster-${index}`, {
    labels: { env: one.env, ...(one.region !== undefined && { region: one.region }) },
    properties: { nodes: String(one.nodes) },
    isLeaving: one.state === 'leaving',
    agent: one.state === 'silent' ? null : {},
    ...(one.isTainted && { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
  });
}

const fleet = fc.array(parts, { maxLength: 25 });

const required = fc.option(
  fc.constantFrom<ClusterSelectorTerm[]>(
    { labelSelector: { matchLabels: { env: 'prod' } } },
    { propertySelector: { matchExpressions: [{ name: 'nodes', operator: 'Ge', values: ['4'] }] } },
  ),
  { nil: undefined },
);
const preferred = fc.option(
  fc.constantFrom(
    { weight: 10, preference: { labelSelector: { matchLabels: { region: 'a' } } } },
    { weight: -7, preference: { propertySorter: { name: 'nodes', sortOrder: 'Ascending' as const } } },
  ),
  { nil: undefined },
);
const constraint = fc.record({
  topologyKey: fc.constantFrom('region', 'env'),
  maxSkew: fc.integer({ min: 1, max: 3 }),
  whenUnsatisfiable: fc.constantFrom('DoNotSchedule' as const, 'ScheduleAnyway' as const),
});

const policy: fc.Arbitrary<PlacementPolicy> = fc
  .record({
    placementType: fc.constantFrom('PickAll' as const, 'PickN' as const, 'PickFixed' as const),
    required,
    preferred,
    tolerates: fc.boolean(),
    constraints: fc.array(constraint, { maxLength: 2 }),
    names: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }),
  })
  .map((one) => ({
    placementType: one.placementType,
    affinity: {
      clusterAffinity: {
        ...(one.required && {
          requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms: [one.required] },
        }),
        ...(one.preferred && { preferredDuringSchedulingIgnoredDuringExecution: [one.preferred] }),
      },
    },
    ...(one.tolerates && { tolerations: [{ key: 'gpu', operator: 'Exists' as const }] }),
    topologySpreadConstraints: one.constraints,
    clusterNames: one.names.map((index) => `cluster-${index}`),
  }));

const someBindings: fc.Arbitrary<Binding[]> = fc
  .uniqueArray(
    fc.record({
      cluster: fc.integer({ min: 0, max: 28 }),
      state: fc.constantFrom('Scheduled' as const, 'Bound' as const),
      snapshot: fc.constantFrom('shop-0', 'shop-1'),
      fate: usually('live', 4, 'unscheduled', 'deleting'),
    }),
    { selector: ({ cluster }) => cluster, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ cluster, state, snapshot, fate }) => {
      const deletion = fate === 'deleting' ? { deletionTimestamp: '2026-01-01T11:00:00Z' } : {};
      const binding = aBinding(`cluster-${cluster}`, state, snapshot, deletion);
      return fate === 'unscheduled' ? unscheduled(binding) : binding;
    }),
  );

type Given = Pick<SchedulingRequest, 'policy' | 'numberOfClusters' | 'bindings'> & {
  readonly clusters: MemberCluster[];
  readonly policy: PlacementPolicy;
  readonly bindings: Binding[];
};

const anything: fc.Arbitrary<Given> = fc.record({
  policy,
  numberOfClusters: fc.integer({ min: 0, max: 14 }),
  clusters: fleet.map((all) => all.map(clusterFrom)),
  bindings: someBindings,
});

/** Written again, as simply as possible: may the policy choose this cluster, spread aside? */
function fits(cluster: MemberCluster, { placementType, affinity, tolerations }: PlacementPolicy): boolean {
  const { metadata, spec, status } = cluster;
  const isEligible = metadata.deletionTimestamp === undefined && status?.agentStatus?.length === 1;
  if (placementType === 'PickFixed') return isEligible;
  const term = affinity?.clusterAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.clusterSelectorTerms[0] ?? {};
  const hasLabel = term.labelSelector === undefined || metadata.labels?.['env'] === 'prod';
  const hasNodes = term.propertySelector === undefined || Number(status?.properties?.['nodes']?.value) >= 4;
  return isEligible && hasLabel && hasNodes && (spec.taints === undefined || tolerations !== undefined);
}

const named = (given: Given, cluster: string): boolean =>
  given.policy.placementType !== 'PickFixed' || (given.policy.clusterNames ?? []).includes(cluster);

/** Names of clusters with a binding of the current snapshot that stays. */
function keptIn({ clusters, bindings }: Given): Set<string> {
  const present = new Set(clusters.map(({ metadata }) => metadata.name));
  return new Set(
    bindings
      .filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && spec.state !== 'Unscheduled')
      .filter(({ spec }) => spec.schedulingPolicySnapshotName === 'shop-1' && present.has(spec.targetCluster))
      .map(({ spec }) => spec.targetCluster),
  );
}

test('the order of clusters and bindings does not matter', () => {
  fc.assert(
    fc.property(anything, fc.infiniteStream(fc.nat()), (given, numbers) => {
      const shuffled = <T>(all: readonly T[]): T[] =>
        all
          .map((value) => ({ value, order: numbers.next().value as number }))
          .sort((a, b) => a.order - b.order)
          .map(({ value }) => value);
      const first = schedule(given);
      const second = schedule({ ...given, clusters: shuffled(given.clusters), bindings: shuffled(given.bindings) });
      assert.deepEqual(second.changes, first.changes);
      assert.deepEqual(second.decisions, first.decisions);
      assert.deepEqual(second.condition, first.condition);
      assert.deepEqual([...second.verdicts], [...first.verdicts]);
    }),
    runs,
  );
});

test('what a scheduler remembers of earlier decisions does not matter', () => {
  const scheduler = new Scheduler();
  fc.assert(
    fc.property(anything, (given) => {
      const fresh = schedule(given);
      const used = schedule(given, scheduler);
      assert.deepEqual(used.changes, fresh.changes);
      assert.deepEqual(used.decisions, fresh.decisions);
      assert.deepEqual([...used.verdicts], [...fresh.verdicts]);
    }),
    runs,
  );
});

test('only clusters that fit are chosen', () => {
  fc.assert(
    fc.property(anything, (given) => {
      const byName = new Map(given.clusters.map((cluster) => [cluster.metadata.name, cluster]));
      for (const change of schedule(given).changes) {
        if (change.type !== 'create' && change.type !== 'patch') continue;
        const name = change.type === 'create' ? change.cluster : change.binding.spec.targetCluster;
        const cluster = byName.get(name);
        assert.ok(cluster !== undefined && fits(cluster, given.policy) && named(given, name), name);
      }
    }),
    runs,
  );
});

test('PickN picks N if N fit and no required constraint refuses, PickAll and PickFixed all that fit', () => {
  fc.assert(
    fc.property(anything, (given) => {
      const { policy: chosen, clusters, numberOfClusters = 0 } = given;
      const hasRefusals = chosen.topologySpreadConstraints?.some((one) => one.whenUnsatisfiable === 'DoNotSchedule');
      fc.pre(chosen.placementType !== 'PickN' || hasRefusals !== true);
      const kept = keptIn(given);
      const fitting = clusters
        .filter((cluster) => fits(cluster, chosen))
        .map(({ metadata }) => metadata.name ?? '')
        .filter((name) => !kept.has(name) && named(given, name));
      const outcome = schedule(given);
      const isLive = ({ metadata, spec }: Binding): boolean =>
        metadata.deletionTimestamp === undefined &&
        spec.state !== 'Unscheduled' &&
        spec.schedulingPolicySnapshotName === 'shop-1';
      const live = applied(given.bindings, outcome).filter(isLive).length;
      const all = kept.size + fitting.length;
      assert.equal(live, chosen.placementType === 'PickN' ? Math.min(numberOfClusters, Math.max(all, kept.size)) : all);
    }),
    runs,
  );
});

test('a second decision changes nothing and reports the same', () => {
  fc.assert(
    fc.property(anything, (given) => {
      const first = schedule(given);
      const bindings = applied(given.bindings, first);
      const later = new Date(now.getTime() + 60_000);
      const second = schedule({ ...given, bindings, previous: first.decisions, now: later });
      assert.deepEqual(changesIn(second), []);
      assert.equal(second.decisions, first.decisions);
      assert.deepEqual(second.condition, first.condition);
    }),
    runs,
  );
});

test('PickN with fewer clusters gives up exactly as many', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 0, max: 5 }), (given, fewer) => {
      const { policy: wanted, clusters } = given;
      const pickN = { ...wanted, placementType: 'PickN' as const };
      const before = applied([], schedule({ policy: pickN, clusters, numberOfClusters: 6 }));
      const outcome = schedule({ policy: pickN, clusters, numberOfClusters: fewer, bindings: before });
      const changes = changesIn(outcome);
      assert.equal(changes.length, Math.max(before.length - fewer, 0));
      assert.ok(changes.every((change) => change.startsWith('unschedule')));
    }),
    runs,
  );
});

test('one required constraint keeps the skew of labelled clusters', () => {
  const labelled = fleet.map((all) =>
    all.map((one, index) => clusterFrom({ ...one, region: one.region ?? 'a' }, index)),
  );
  fc.assert(
    fc.property(
      labelled,
      policy,
      fc.integer({ min: 0, max: 14 }),
      fc.integer({ min: 1, max: 3 }),
      (clusters, one, n, maxSkew) => {
        const spread: PlacementPolicy = {
          ...one,
          placementType: 'PickN',
          topologySpreadConstraints: [{ topologyKey: 'region', maxSkew, whenUnsatisfiable: 'DoNotSchedule' }],
        };
        const bindings = applied([], schedule({ policy: spread, clusters, numberOfClusters: n }));
        const chosen = new Set(bindings.map(({ spec }) => spec.targetCluster));
        const counts = new Map<string, number>();
        for (const { metadata, status } of clusters) {
          if (metadata.deletionTimestamp !== undefined || status?.agentStatus?.length !== 1) continue;
          const domain = metadata.labels?.['region'] ?? '';
          counts.set(domain, (counts.get(domain) ?? 0) + Number(chosen.has(metadata.name ?? '')));
        }
        if (counts.size > 0) assert.ok(Math.max(...counts.values()) - Math.min(...counts.values()) <= maxSkew);
      },
    ),
    runs,
  );
});

test('every cluster has a verdict that agrees with the changes', () => {
  fc.assert(
    fc.property(anything, (given) => {
      const { verdicts, changes } = schedule(given);
      const picked = new Set(
        changes.flatMap((change) => {
          if (change.type === 'create') return [change.cluster];
          return change.type === 'patch' ? [change.binding.spec.targetCluster] : [];
        }),
      );
      const kept = keptIn(given);
      const seen = new Set<string>();
      for (const { cluster, outcome, rejection } of verdicts) {
        seen.add(cluster);
        assert.equal(outcome === 'Picked', picked.has(cluster), cluster);
        assert.equal(outcome === 'Kept', kept.has(cluster), cluster);
        if (outcome === 'Rejected') assert.ok((rejection?.reasons.length ?? 0) > 0);
      }
      for (const { metadata } of given.clusters) assert.ok(seen.has(metadata.name ?? ''));
    }),
    runs,
  );
});

test('the place of a cluster is the smallest number of clusters that includes it', () => {
  fc.assert(
    fc.property(anything, (random) => {
      const given: Given = { ...random, policy: { ...random.policy, placementType: 'PickN' } };
      const isPicked = (cluster: string, numberOfClusters: number): boolean =>
        schedule({ ...given, numberOfClusters }).verdicts.of(cluster)?.outcome === 'Picked';
      for (const { cluster, place } of schedule(given).verdicts) {
        if (place === undefined) continue;
        assert.ok(isPicked(cluster, place) && !isPicked(cluster, place - 1), `${cluster} ${place}`);
      }
    }),
    { ...runs, numRuns: 60 },
  );
});
