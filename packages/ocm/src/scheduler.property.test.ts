import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedCluster, OcmPlacementSpec } from '@flotilla/api';
import * as fc from 'fast-check';
import { groupClusters } from './decision-groups.ts';
import { aManagedCluster, namesIn, now, schedule, selectedIn } from './ocm.testing.ts';

const runs = { seed: 18, numRuns: 200 };

const cluster = fc.record({
  region: fc.constantFrom('eu', 'us', 'asia'),
  tier: fc.constantFrom('gold', 'tin'),
  cpu: fc.integer({ min: 1, max: 9 }),
  taintedForMs: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined, freq: 3 }),
});
const fleet = fc.array(cluster, { maxLength: 20 }).map((parts) =>
  parts.map(({ region, tier, cpu, taintedForMs }, index) => {
    const timeAdded = new Date(now.getTime() - (taintedForMs ?? 0)).toISOString();
    return aManagedCluster(`c${String(index).padStart(2, '0')}`, {
      labels: { region, tier },
      allocatable: { cpu },
      ...(taintedForMs !== undefined && { taints: [{ key: 'gone', effect: 'NoSelect', timeAdded }] }),
    });
  }),
);
const spec: fc.Arbitrary<OcmPlacementSpec> = fc.record(
  {
    numberOfClusters: fc.integer({ min: 0, max: 12 }),
    tolerations: fc.constantFrom(
      [{ operator: 'Exists' }],
      [{ key: 'gone', operator: 'Exists', tolerationSeconds: 50 }],
    ),
    predicates: fc.constantFrom([
      { requiredClusterSelector: { labelSelector: { matchLabels: { region: 'eu' } } } },
      {
        requiredClusterSelector: { celSelector: { celExpressions: ['managedCluster.metadata.labels.tier == "gold"'] } },
      },
    ]),
    prioritizerPolicy: fc.constantFrom(
      { mode: 'Additive', configurations: [] },
      {
        mode: 'Exact',
        configurations: [
          { scoreCoordinate: { type: 'BuiltIn' as const, builtIn: 'ResourceAllocatableCPU' }, weight: 2 },
        ],
      },
    ),
    decisionStrategy: fc.record({
      groupStrategy: fc.record({
        clustersPerDecisionGroup: fc.constantFrom<(number | string)[]>(0, 1, 3, '40%'),
        decisionGroups: fc.constantFrom([
          { groupName: 'eu', groupClusterSelector: { labelSelector: { matchLabels: { region: 'eu' } } } },
          { groupName: 'gold', groupClusterSelector: { labelSelector: { matchLabels: { tier: 'gold' } } } },
        ]),
      }),
    }),
  },
  { requiredKeys: [] },
);
const elsewhere = fc.dictionary(fc.constantFrom('c00', 'c01', 'c02', 'c03', 'c04'), fc.integer({ min: 1, max: 9 }));

test('the order of clusters does not matter, nor what was decided before', () => {
  fc.assert(
    fc.property(spec, fleet, elsewhere, (one, clusters, counts) => {
      const outcome = schedule(one, clusters, { elsewhere: counts });
      assert.equal(selectedIn(schedule(one, clusters.toReversed(), { elsewhere: counts })), selectedIn(outcome));
    }),
    runs,
  );
});

test('groups contain every selected cluster once, at most 100 in a list', () => {
  fc.assert(
    fc.property(spec, fleet, (one, clusters) => {
      const outcome = schedule(one, clusters);
      const { groups } = groupClusters(one, outcome.selected);
      const grouped = groups.flatMap(({ decisions }) => decisions.flat().map(({ clusterName }) => clusterName));
      assert.deepEqual(grouped.sort(), namesIn(outcome).split(' ').filter(Boolean).sort());
      assert.ok(
        groups.every(
          ({ decisions, size }) => decisions.flat().length === size && decisions.every((list) => list.length <= 100),
        ),
      );
    }),
    runs,
  );
});

test('Steady alone moves the fewest clusters: all that still fit stay, and no more come than are missing', () => {
  const steady: OcmPlacementSpec['prioritizerPolicy'] = {
    mode: 'Exact',
    configurations: [{ scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' }, weight: 1 }],
  };
  const chosenFrom = (clusters: readonly ManagedCluster[]) =>
    fc.subarray(clusters.map(({ metadata }) => metadata.name ?? ''));
  const input = fleet.chain((clusters) => fc.tuple(fc.constant(clusters), chosenFrom(clusters)));
  fc.assert(
    fc.property(spec, input, (one, [clusters, chosen]) => {
      const outcome = schedule({ ...one, prioritizerPolicy: steady }, clusters, { chosen });
      const selected = new Set(outcome.selected.map(({ row }) => row.name));
      const fitting = new Set(outcome.ranked.map(({ row }) => row.name));
      const stay = chosen.filter((name) => fitting.has(name));
      assert.equal(stay.filter((name) => selected.has(name)).length, Math.min(stay.length, selected.size));
    }),
    runs,
  );
});

test('the outcome stays the same until the time that it names, and tolerations end then', () => {
  fc.assert(
    fc.property(spec, fleet, (one, clusters) => {
      const outcome = schedule(one, clusters);
      const { changesAt } = outcome;
      const at = (time: number) => schedule(one, clusters, { now: new Date(time) });
      if (changesAt === undefined) {
        assert.equal(selectedIn(at(now.getTime() + 1e9)), selectedIn(outcome));
      } else {
        assert.equal(selectedIn(at(changesAt - 1)), selectedIn(outcome));
        assert.ok(at(changesAt).ranked.length < outcome.ranked.length);
      }
    }),
    runs,
  );
});
