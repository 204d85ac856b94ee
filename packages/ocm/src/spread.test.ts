import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OcmPlacementSpec, SpreadConstraint } from '@flotilla/api';
import { aManagedCluster, namesIn, schedule, scoresIn, selectedIn } from './ocm.testing.ts';

const inRegion = (region: string, ...names: string[]) =>
  names.map((name) => aManagedCluster(name, { labels: { region }, claims: { zone: `${region}-${name.at(-1)}` } }));
const fleet = [...inRegion('eu', 'a1', 'a2', 'a3', 'a4'), ...inRegion('us', 'b1', 'b2'), aManagedCluster('c1')];

const constraint = (parts: Partial<SpreadConstraint> = {}): SpreadConstraint => ({
  topologyKey: 'region',
  topologyKeyType: 'Label',
  maxSkew: 1,
  whenUnsatisfiable: 'ScheduleAnyway',
  ...parts,
});
const spread = (numberOfClusters: number | undefined, ...spreadConstraints: SpreadConstraint[]): OcmPlacementSpec => ({
  spreadPolicy: { spreadConstraints },
  ...(numberOfClusters !== undefined && { numberOfClusters }),
});

// docs/seed-promises.md
describe('spread constraints', () => {
  const rows: readonly (readonly [claim: string, spec: OcmPlacementSpec, selected: string])[] = [
    ['alternate between domains', spread(4, constraint()), 'a1 b1 a2 b2'],
    ['take more from one domain if they only prefer', spread(6, constraint()), 'a1 b1 a2 b2 a3 a4'],
    ['take clusters without the key last', spread(7, constraint()), 'a1 b1 a2 b2 a3 a4 c1'],
    [
      'stop at the skew if they insist, but take clusters without the key',
      spread(undefined, constraint({ whenUnsatisfiable: 'DoNotSchedule' })),
      'a1 b1 a2 b2 a3 c1',
    ],
    ['allow the skew that they name', spread(4, constraint({ maxSkew: 2 })), 'a1 a2 b1 a3'],
    ['read claims', spread(3, constraint({ topologyKey: 'zone', topologyKeyType: 'Claim' })), 'a1 a2 a3'],
    [
      'weigh the first more than the second',
      spread(4, constraint(), constraint({ topologyKey: 'zone', topologyKeyType: 'Claim' })),
      'a1 b1 a2 b2',
    ],
  ];
  for (const [claim, spec, selected] of rows) {
    test(claim, () => assert.equal(namesIn(schedule(spec, fleet)), selected));
  }

  test('say which of them keeps a cluster out', () => {
    const hard = constraint({ whenUnsatisfiable: 'DoNotSchedule' });
    const { verdictOf, unscheduled } = schedule(spread(7, hard), fleet);
    const evidence = { kind: 'spread', constraint: hard };
    assert.deepEqual(verdictOf('a4'), { outcome: 'Rejected', plugin: 'Spread', evidence });
    assert.equal(unscheduled, 1);
  });

  test('score with a weight of 2, which a configuration may change', () => {
    const outcome = schedule(spread(2, constraint()), fleet, { elsewhere: { b1: 1, b2: 1 } });
    assert.equal(selectedIn(outcome), 'a1:300 b1:100');
    assert.match(scoresIn(outcome, 'Spread'), /^a1:100 b1:100 /);
    const configurations = [{ scoreCoordinate: { type: 'BuiltIn', builtIn: 'Spread' }, weight: 0 } as const];
    const spec = { ...spread(2, constraint()), prioritizerPolicy: { mode: 'Additive', configurations } };
    assert.equal(namesIn(schedule(spec, fleet, { elsewhere: { b1: 1, b2: 1 } })), 'a1 a2');
  });

  test('select the same clusters again', () => {
    const spec = spread(3, constraint());
    const first = namesIn(schedule(spec, fleet));
    assert.equal(namesIn(schedule(spec, fleet, { chosen: first.split(' ') })), first);
  });

  test('are not needed for the prioritizer Spread to be valid', () => {
    const configurations = [{ scoreCoordinate: { type: 'BuiltIn', builtIn: 'Spread' }, weight: 2 } as const];
    const outcome = schedule({ prioritizerPolicy: { mode: 'Additive', configurations } }, fleet);
    assert.deepEqual([outcome.problem, outcome.selected.length], [undefined, 7]);
  });
});
