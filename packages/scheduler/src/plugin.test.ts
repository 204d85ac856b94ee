import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacementPolicy } from '@flotilla/api';
import { pluginsOf } from './plugin-module.ts';
import type { SchedulerPlugin } from './plugin.ts';
import { Scheduler } from './scheduler.ts';
import { aCluster, schedule, scored } from './scheduling.testing.ts';

const clusters = [aCluster('cluster-1'), aCluster('cluster-2', { properties: { cost: '7' } }), aCluster('cluster-3')];

function reasonsWith(plugin: Omit<SchedulerPlugin, 'name'>): (string | undefined)[] {
  const { verdicts } = schedule(
    { clusters, policy: { placementType: 'PickN' }, numberOfClusters: 3 },
    new Scheduler({ plugins: [{ name: 'Night', ...plugin }] }),
  );
  return [...verdicts].map(({ rejection }) => rejection?.reasons[0]);
}

describe('a plugin', () => {
  test('rejects clusters with its reason', () => {
    const filter = ({ name }: { readonly name: string }) => (name === 'cluster-2' ? 'it is night there' : undefined);
    assert.deepEqual(reasonsWith({ filter }), [undefined, 'it is night there', undefined]);
  });

  test('adds its scores to the affinity score', () => {
    const plugins: SchedulerPlugin[] = [{ name: 'Cheap', score: (cluster) => 100 - (cluster.number('cost') ?? 50) }];
    const { decisions } = schedule(
      { clusters, policy: { placementType: 'PickN' }, numberOfClusters: 1 },
      new Scheduler({ plugins }),
    );
    assert.deepEqual(decisions.map(scored), ['2(93,0)', '3(50,0)', '1(50,0)']);
  });

  test('that fails or returns nonsense rejects with a sentence', () => {
    const failing = (): never => {
      throw new Error('no almanac');
    };
    const nonsense = (value: unknown) => (() => value) as () => never;
    assert.equal(reasonsWith({ filter: failing })[0], 'scheduler plugin Night failed: no almanac');
    assert.equal(
      reasonsWith({ filter: nonsense(false) })[0],
      'scheduler plugin Night returned neither true nor a reason',
    );
    assert.equal(reasonsWith({ filter: nonsense('') })[0], 'scheduler plugin Night returned neither true nor a reason');
    assert.equal(reasonsWith({ score: failing })[0], 'scheduler plugin Night failed: no almanac');
    for (const score of [Number.NaN, Infinity, '7', undefined, 1e9]) {
      assert.equal(
        reasonsWith({ score: nonsense(score) })[0],
        'scheduler plugin Night returned no number between -1000000 and 1000000',
      );
    }
  });

  test('does not score for PickAll and has no say in PickFixed', () => {
    const plugins: SchedulerPlugin[] = [{ name: 'Never', filter: () => 'never', score: () => Number.NaN }];
    const scheduler = new Scheduler({ plugins });
    const policy: PlacementPolicy = { placementType: 'PickFixed', clusterNames: ['cluster-1'] };
    assert.equal(schedule({ clusters, policy }, scheduler).changes.length, 1);
    assert.equal(
      schedule({ clusters }, new Scheduler({ plugins: [{ name: 'Odd', score: () => Number.NaN }] })).changes.length,
      3,
    );
  });
});

describe('a module', () => {
  test('has filters and scores by name', () => {
    const plugins = pluginsOf({ filters: { Night: () => true, Price: () => true }, scores: { Price: () => 1 } });
    assert.deepEqual(
      plugins.map(({ name, filter, score }) => [name, filter !== undefined, score !== undefined]),
      [
        ['Night', true, false],
        ['Price', true, true],
      ],
    );
  });

  test('without functions is refused', () => {
    assert.throws(() => pluginsOf({}), /must export filters or scores/);
    assert.throws(() => pluginsOf({ filters: 7 }), /filters must be an object of functions/);
    assert.throws(() => pluginsOf({ scores: { Price: 7 } }), /scores\.Price must be a function/);
    assert.throws(() => pluginsOf({ scores: { 'a b': () => 7 } }), /scores has the name a b/);
  });
});
