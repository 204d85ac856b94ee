import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacementPolicy } from '@flotilla/api';
import { aBinding, aCluster, applied, now, schedule } from './scheduling.testing.ts';

const many = (count: number, parts = {}) =>
  Array.from({ length: count }, (_, index) => aCluster(`cluster-${String(index).padStart(4, '0')}`, parts));

describe('the status of a policy snapshot', () => {
  test('has 20 clusters that were not selected: those with scores first, then by name', () => {
    const clusters = [...many(25), aCluster('a', { agent: null }), aCluster('b', { agent: null })];
    const few = schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters: 10 });
    assert.deepEqual(
      few.decisions.slice(10).map(({ clusterName }) => clusterName),
      [
        ...many(15)
          .map(({ metadata }) => metadata.name)
          .reverse(),
        'a',
        'b',
      ],
    );
    const none = schedule({ clusters: many(25, { agent: null }) });
    assert.equal(none.decisions.length, 20);
    assert.equal(none.verdicts.size, 25);
    assert.ok([...none.verdicts].every(({ rejection }) => rejection !== undefined));
  });

  test('has a thousand clusters at most', () => {
    const { decisions, changes, condition } = schedule({ clusters: [...many(1100), aCluster('a', { agent: null })] });
    assert.equal(decisions.length, 1000);
    assert.ok(decisions.every(({ selected }) => selected));
    assert.equal(changes.length, 1100);
    assert.match(condition.message, /found 1100 cluster\(s\)$/);
  });

  test('lists other clusters before it repeats those that were selected', () => {
    const clusters = [...many(30, { agent: null }), aCluster('z', { agent: null })];
    const bindings = clusters.slice(0, 30).map(({ metadata }) => aBinding(metadata.name ?? '', 'Bound', 'shop-1'));
    const { decisions } = schedule({ clusters, bindings });
    assert.deepEqual(
      decisions.filter(({ selected }) => !selected).map(({ clusterName }) => clusterName),
      ['z'],
    );
  });

  const policies: Record<string, PlacementPolicy> = {
    PickAll: { placementType: 'PickAll' },
    PickN: { placementType: 'PickN' },
    PickFixed: { placementType: 'PickFixed', clusterNames: ['a', 'silent', 'sick', 'nowhere'] },
  };
  const clusters = [
    aCluster('a'),
    aCluster('silent', { agent: { heartbeat: '2026-01-01T11:00:00Z' } }),
    aCluster('sick', { agent: { healthy: 'False', healthSince: '2026-01-01T11:00:00Z' } }),
  ];
  for (const [type, policy] of Object.entries(policies)) {
    test(`of ${type} does not change while a cluster stays disconnected`, () => {
      const first = schedule({ clusters, policy, numberOfClusters: 3 });
      const later = new Date(now.getTime() + 200_000);
      const previous = first.decisions.toReversed();
      const bindings = applied([], first);
      const again = schedule({ clusters, policy, numberOfClusters: 3, bindings, previous, now: later });
      assert.deepEqual(again.changes, []);
      assert.equal(again.decisions, previous);
      assert.deepEqual(again.condition, first.condition);
    });
  }

  test('keeps what was said about other clusters while there are enough', () => {
    const first = schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters: 1 });
    const given = { policy: { placementType: 'PickN' }, numberOfClusters: 1, bindings: applied([], first) } as const;
    assert.equal(schedule({ ...given, clusters, previous: first.decisions }).decisions, first.decisions);
    const fewer = schedule({ ...given, clusters: clusters.slice(0, 2), previous: first.decisions });
    assert.deepEqual(
      fewer.decisions.map(({ clusterName }) => clusterName),
      ['a', 'silent'],
    );
  });

  test('names the new reason of a cluster when it has another', () => {
    const first = schedule({ clusters });
    const joining = [clusters[0], aCluster('silent', { agent: null })].filter((one) => one !== undefined);
    const second = schedule({ clusters: joining, bindings: applied([], first), previous: first.decisions });
    assert.match(second.decisions.at(-1)?.reason ?? '', /not online yet$/);
  });
});

describe('the moment when a cluster stops being eligible', () => {
  test('is the first of all eligible clusters', () => {
    const at = (iso: string): number => Date.parse(iso);
    const outcome = schedule({
      clusters: [
        aCluster('a', { agent: { heartbeat: '2026-01-01T11:59:00Z' } }),
        aCluster('b', { agent: { heartbeat: '2026-01-01T11:58:00Z' } }),
        aCluster('silent', { agent: { heartbeat: '2026-01-01T11:00:00Z' } }),
      ],
    });
    assert.equal(outcome.changesAt(), at('2026-01-01T12:03:00Z') + 1);
    const sick = aCluster('sick', { agent: { healthy: 'False', healthSince: '2026-01-01T11:56:00Z' } });
    assert.equal(schedule({ clusters: [sick] }).changesAt(), at('2026-01-01T12:01:00Z') + 1);
    assert.equal(schedule({ clusters: [aCluster('new', { agent: null })] }).changesAt(), undefined);
  });

  test('is when its verdict changes', () => {
    const clusters = [aCluster('a')];
    const moment = schedule({ clusters }).changesAt() ?? 0;
    assert.equal(schedule({ clusters, now: new Date(moment - 1) }).changes.length, 1);
    assert.equal(schedule({ clusters, now: new Date(moment) }).changes.length, 0);
  });
});
