import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PrioritizerConfiguration, PrioritizerPolicy } from '@flotilla/api';
import { aManagedCluster, aScore, namesIn, now, schedule, scoresIn, selectedIn, someClusters } from '../ocm.testing.ts';

const builtIn = (name: string, weight = 1): PrioritizerConfiguration => ({
  scoreCoordinate: { type: 'BuiltIn', builtIn: name },
  weight,
});
const addOn = (scoreName: string, weight = 1): PrioritizerConfiguration => ({
  scoreCoordinate: { type: 'AddOn', addOn: { resourceName: 'usage', scoreName } },
  weight,
});
const exact = (...configurations: PrioritizerConfiguration[]): PrioritizerPolicy => ({ mode: 'Exact', configurations });

describe('Balance', () => {
  // OCM's values: it truncates before it doubles, so that rounding of doubles shows.
  const rows: readonly (readonly [largest: number, scores: readonly number[]])[] = [
    [1, [-100]],
    [2, [0, -100]],
    [3, [32, -32, -100]],
    [4, [50, 0, -50, -100]],
    [5, [60, 18, -18, -60, -100]],
    [10, [80, 60, 40, 18, 0, -18, -38, -60, -80, -100]],
  ];
  for (const [largest, scores] of rows) {
    test(`gives 1 to ${largest} selections elsewhere ${scores.join(', ')}`, () => {
      const names = scores.map((_, index) => `c${String(index + 1).padStart(2, '0')}`);
      const elsewhere = Object.fromEntries(names.map((name, index) => [name, index + 1]));
      const outcome = schedule({}, someClusters(...names), { elsewhere });
      assert.equal(scoresIn(outcome, 'Balance'), names.map((name, index) => `${name}:${scores[index]}`).join(' '));
    });
  }

  test('gives 100 to a cluster that is selected nowhere, and counts clusters that are no candidates', () => {
    const outcome = schedule({}, someClusters('bern', 'oslo'), { elsewhere: { oslo: 1, rome: 4 } });
    assert.equal(scoresIn(outcome, 'Balance'), 'bern:100 oslo:50');
  });
});

describe('ResourceAllocatableCPU and Memory', () => {
  const rows: readonly (readonly [resource: string, name: string, amounts: (number | string)[], scores: string])[] = [
    ['cpu', 'ResourceAllocatableCPU', [10, '7', 9], 'c0:100 c1:-100 c2:33'],
    ['memory', 'ResourceAllocatableMemory', ['50', '90', '80'], 'c0:-100 c1:100 c2:50'],
    ['memory', 'ResourceAllocatableMemory', ['50', '90', '80', '100'], 'c0:-100 c1:60 c2:19 c3:100'],
    ['cpu', 'ResourceAllocatableCPU', ['7910m', '7910m'], 'c0:100 c1:100'],
  ];
  for (const [resource, name, amounts, scores] of rows) {
    test(`score ${amounts.join(', ')} as ${scores}`, () => {
      const clusters = amounts.map((amount, n) => aManagedCluster(`c${n}`, { allocatable: { [resource]: amount } }));
      assert.equal(scoresIn(schedule({ prioritizerPolicy: exact(builtIn(name)) }, clusters), name), scores);
    });
  }

  test('score no cluster that reports no capacity, so that it ranks in the middle', () => {
    const clusters = [
      aManagedCluster('bern', { allocatable: { cpu: '4' } }),
      aManagedCluster('lima', { status: { allocatable: { cpu: '99' } } }),
      aManagedCluster('oslo', { allocatable: { cpu: '8' } }),
    ];
    const outcome = schedule({ prioritizerPolicy: exact(builtIn('ResourceAllocatableCPU')) }, clusters);
    assert.equal(selectedIn(outcome), 'oslo:100 lima:0 bern:-100');
  });
});

describe('scores of add-ons', () => {
  const clusters = someClusters('bern', 'lima', 'oslo');

  test('count as they are, and as 0 where they are missing', () => {
    const scores = { 'bern/usage': aScore({ cpu: -100, gpu: 7 }), 'oslo/usage': aScore({ gpu: 9 }) };
    const outcome = schedule({ prioritizerPolicy: exact(addOn('cpu', 3)) }, clusters, { scores });
    assert.equal(selectedIn(outcome), 'lima:0 oslo:0 bern:-300');
  });

  test('count as 0 when they have expired, with a warning, and say when others expire', () => {
    const scores = {
      'bern/usage': aScore({ cpu: 10 }, '2026-01-01T11:59:59Z'),
      'lima/usage': aScore({ cpu: 20 }, '2026-01-01T12:00:00Z'),
      'oslo/usage': aScore({ cpu: 30 }, '2026-01-01T12:00:10Z'),
    };
    const outcome = schedule({ prioritizerPolicy: exact(addOn('cpu')) }, clusters, { scores });
    assert.equal(selectedIn(outcome), 'oslo:30 lima:20 bern:0');
    assert.deepEqual(outcome.problem, {
      code: 'Warning',
      plugin: 'AddOn/usage/cpu',
      message: 'AddOnPlacementScores bern/usage expired',
    });
    assert.equal(outcome.changesAt, now.getTime() + 1);
  });
});

describe('weights', () => {
  const clusters = someClusters('bern', 'oslo');
  const parts = { chosen: ['oslo'], elsewhere: { oslo: 1 } };

  test('of Balance and Steady are 1 by default', () => {
    assert.equal(selectedIn(schedule({}, clusters, parts)), 'bern:100 oslo:0');
    assert.equal(selectedIn(schedule({ prioritizerPolicy: { mode: '' } }, clusters, parts)), 'bern:100 oslo:0');
  });

  test('in the mode Additive replace the defaults, the last one of a name', () => {
    const prioritizerPolicy = { mode: 'Additive', configurations: [builtIn('Steady', 9), builtIn('Steady', 3)] };
    assert.equal(selectedIn(schedule({ prioritizerPolicy }, clusters, parts)), 'oslo:200 bern:100');
  });

  test('in the mode Exact are the only ones, and none means the order of names', () => {
    assert.equal(
      selectedIn(schedule({ prioritizerPolicy: exact(builtIn('Steady')) }, clusters, parts)),
      'oslo:100 bern:0',
    );
    assert.equal(selectedIn(schedule({ prioritizerPolicy: exact() }, clusters, parts)), 'bern:0 oslo:0');
  });

  test('may be negative', () => {
    const prioritizerPolicy = exact(builtIn('Balance', -1));
    assert.equal(selectedIn(schedule({ prioritizerPolicy }, clusters, parts)), 'oslo:100 bern:-100');
  });

  const wrong: readonly (readonly [message: string, policy: PrioritizerPolicy])[] = [
    ['incorrect prioritizer policy mode: Sum', { mode: 'Sum' }],
    ['incorrect builtin prioritizer: ResourceRatioCPU', exact(builtIn('ResourceRatioCPU'))],
    [
      'prioritizerPolicy.configurations must have at most 100 items',
      exact(...Array.from({ length: 101 }, () => builtIn('Steady'))),
    ],
    ['addOn should not be empty', exact({ scoreCoordinate: { type: 'AddOn' }, weight: 1 })],
    ['scoreCoordinate field is required', exact({ weight: 1 } as PrioritizerConfiguration)],
  ];
  for (const [message, prioritizerPolicy] of wrong) {
    test(`make the Placement misconfigured, even without clusters: ${message}`, () => {
      assert.deepEqual(schedule({ prioritizerPolicy }, []).problem, { code: 'Misconfigured', plugin: '', message });
    });
  }

  test('of 0 turn a prioritizer off, even one that does not exist', () => {
    const prioritizerPolicy = { mode: 'Additive', configurations: [builtIn('Balance', 0), builtIn('Luck', 0)] };
    assert.equal(selectedIn(schedule({ prioritizerPolicy }, clusters, parts)), 'oslo:100 bern:0');
  });
});

describe('the number of clusters', () => {
  const clusters = someClusters('bern', 'lima', 'oslo');

  test('takes the best scores, then the first names', () => {
    const outcome = schedule({ numberOfClusters: 2 }, clusters, { elsewhere: { bern: 1 } });
    assert.equal(namesIn(outcome), 'lima oslo');
    assert.deepEqual(outcome.verdictOf('bern'), {
      outcome: 'Outscored',
      score: -100,
      parts: [
        { prioritizer: 'Balance', weight: 1, score: -100 },
        { prioritizer: 'Steady', weight: 1, score: 0 },
      ],
    });
  });

  for (const [numberOfClusters, selected, unscheduled] of [
    [undefined, 3, 0],
    [5, 3, 2],
    [0, 0, 0],
    [-3, 0, 0],
  ] as const) {
    test(`${numberOfClusters} of 3 selects ${selected} and misses ${unscheduled}`, () => {
      const outcome = schedule({ ...(numberOfClusters !== undefined && { numberOfClusters }) }, clusters);
      assert.deepEqual([outcome.selected.length, outcome.unscheduled], [selected, unscheduled]);
    });
  }
});
