import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterPredicate, OcmPlacementSpec, OcmToleration } from '@flotilla/api';
import { aManagedCluster, aRequest, aScore, namesIn, now, outcomeOf, schedule, someClusters } from '../ocm.testing.ts';
import { PlacementScheduler } from '../scheduler.ts';

const fleet = [
  aManagedCluster('bern', { labels: { region: 'eu' }, claims: { cpu: '8', 'id.k8s.io': 'b' } }),
  aManagedCluster('lima', { labels: { region: 'sa', env: 'prod' }, claims: { cpu: '4' } }),
  aManagedCluster('oslo', { labels: { region: 'eu', env: 'prod' } }),
];

const labels = (matchLabels: Record<string, string>): ClusterPredicate => ({
  requiredClusterSelector: { labelSelector: { matchLabels } },
});
const claims = (key: string, operator: string, ...values: string[]): ClusterPredicate => ({
  requiredClusterSelector: { claimSelector: { matchExpressions: [{ key, operator, values }] } },
});
const cel = (...celExpressions: string[]): ClusterPredicate => ({
  requiredClusterSelector: { celSelector: { celExpressions } },
});

describe('predicates', () => {
  const rows: readonly (readonly [claim: string, predicates: ClusterPredicate[], selected: string])[] = [
    ['without any, all clusters match', [], 'bern lima oslo'],
    ['an empty one matches all clusters', [{}], 'bern lima oslo'],
    ['match labels', [labels({ region: 'eu' })], 'bern oslo'],
    ['match if any of them does', [labels({ region: 'sa' }), claims('cpu', 'In', '8')], 'bern lima'],
    ['match claims', [claims('cpu', 'Exists')], 'bern lima'],
    ['match a cluster without the claim with NotIn', [claims('cpu', 'NotIn', '8')], 'lima oslo'],
    [
      'need label, claim and expression to match',
      [
        {
          requiredClusterSelector: {
            labelSelector: { matchLabels: { region: 'eu' } },
            claimSelector: { matchExpressions: [{ key: 'cpu', operator: 'Exists' }] },
            celSelector: { celExpressions: ['managedCluster.metadata.name.startsWith("b")'] },
          },
        },
      ],
      'bern',
    ],
    ['need all expressions to be true', [cel('true', 'managedCluster.metadata.name == "oslo"')], 'oslo'],
    [
      'skip clusters that lack what an expression reads',
      [cel('managedCluster.metadata.labels["env"] == "prod"')],
      'lima oslo',
    ],
    ['skip clusters if the result is no bool', [cel('managedCluster.metadata.name')], ''],
    [
      'read claims as a list',
      [cel('managedCluster.status.clusterClaims.exists(c, c.name == "cpu" && c.value == "4")')],
      'lima',
    ],
    [
      'know fields that are always present',
      [
        cel(
          'managedCluster.status.conditions == null && managedCluster.spec.hubAcceptsClient && managedCluster.status.version.size() == 0',
        ),
      ],
      'bern lima oslo',
    ],
    ['know no kind', [cel('has(managedCluster.kind)')], ''],
    [
      'read JSON, whose numbers are doubles',
      [cel(`'{"a":[1,{"b":2.5}]}'.parseJSON().a[0] + 0.5 == 1.5`)],
      'bern lima oslo',
    ],
    ['reverse texts, which Kubernetes cannot', [cel('managedCluster.metadata.name.reverse() == "olso"')], 'oslo'],
    ['match nothing with an invalid pattern', [cel('managedCluster.metadata.name.matches("[")')], ''],
    ['skip clusters with broken JSON', [cel(`'{'.parseJSON() == null`)], ''],
    [
      'compare versions, also with a v',
      [cel('semver("v1.31.0", true).isGreaterThan(semver("1.30.0"))')],
      'bern lima oslo',
    ],
    [
      'skip clusters without scores',
      [cel('managedCluster.scores("usage").exists(s, s.name == "cpu" && s.value > 50)')],
      'oslo',
    ],
  ];
  for (const [claim, predicates, selected] of rows) {
    test(claim, () => {
      const scores = { 'oslo/usage': aScore({ cpu: 60 }, '2025-01-01T00:00:00Z'), 'lima/usage': aScore({ cpu: 40 }) };
      const outcome = schedule({ predicates }, fleet, { scores });
      assert.equal(namesIn(outcome), selected);
      assert.equal(outcome.problem, undefined);
    });
  }

  const wrong: readonly (readonly [claim: string, predicate: ClusterPredicate, message: RegExp])[] = [
    ['an unknown operator', claims('cpu', 'Near'), /^"Near" is not a valid label selector operator$/],
    [
      'a value that no label can have',
      claims('version', 'In', 'v1.30.0+k3s1'),
      /^values\[0\]\[version\]: Invalid value: "v1\.30\.0\+k3s1": a valid label must/,
    ],
    ['an expression that does not compile', cel('managedCluster.nope('), /^compilation failed: ERROR: <input>:1:/],
    [
      'an invalid pattern of find',
      cel('managedCluster.metadata.name.find("[") == ""'),
      /^instantiation failed: error parsing regexp: missing closing \]: `\[`$/,
    ],
    [
      'more expressions than are compiled in a turn',
      cel(...Array<string>(101).fill('true')),
      /^celExpressions must have at most 100 items$/,
    ],
    [
      'an unknown function',
      cel('has_it(managedCluster)'),
      /^compilation failed: ERROR: <input>:1:7: undeclared reference to 'has_it'/,
    ],
  ];
  for (const [claim, predicate, message] of wrong) {
    test(`with ${claim} make the Placement misconfigured, even if another predicate matches`, () => {
      const { problem, selected } = schedule({ predicates: [labels({ region: 'eu' }), predicate] }, fleet);
      assert.deepEqual([problem?.code, problem?.plugin, selected.length], ['Misconfigured', 'Predicate', 0]);
      assert.match(problem?.message ?? '', message);
    });
  }

  test('are not checked without clusters', () => {
    assert.equal(schedule({ predicates: [cel('nope(')], tolerations: [{ operator: 'Equal' }] }, []).problem, undefined);
  });

  test('that cost much are matched in several turns, and give the same result', () => {
    const spec = {
      predicates: [cel('[1,2,3,4,5,6,7,8].all(x, [1,2,3,4,5,6,7,8].all(y, [1,2,3,4,5,6,7,8].all(z, x + y + z > 0)))')],
    };
    const clusters = someClusters(...Array.from({ length: 100 }, (_, n) => `c${n}`));
    const scheduler = new PlacementScheduler();
    const request = aRequest(spec, clusters);
    assert.equal(scheduler.schedule(request), undefined);
    assert.equal(outcomeOf(request, scheduler).selected.length, 100);
  });

  const costly = '[1,2,3,4,5,6,7,8].all(x, [1,2,3,4,5,6,7,8].all(y, [1,2,3,4,5,6,7,8].all(z, x + y + z > 0)))';

  test('with many costly expressions yield between them, and go on where they were', () => {
    const scheduler = new PlacementScheduler();
    const spec = { predicates: [cel(...Array<string>(99).fill(costly), 'managedCluster.metadata.name == "oslo"')] };
    const clusters = someClusters('bern', 'lima', 'oslo');
    let turns = 1;
    let outcome = scheduler.schedule(aRequest(spec, clusters));
    for (; outcome === undefined; turns++) outcome = scheduler.schedule(aRequest(spec, clusters));
    assert.equal(namesIn(outcome), 'oslo');
    assert.ok(turns > clusters.length, `${turns} turns`);
  });

  test('that cost much are matched once for each state of a cluster, unless they read scores', () => {
    const clusters = someClusters('bern', 'lima');
    const turnsOf = (expression: string) => {
      const scheduler = new PlacementScheduler();
      const spec = { predicates: [cel(...Array<string>(90).fill(costly), expression)] };
      return [clusters, clusters, [...clusters, ...someClusters('oslo')]].map((list) => {
        const request = aRequest(spec, list);
        let turns = 1;
        while (scheduler.schedule(request) === undefined) turns++;
        return turns;
      });
    };
    const [first = 0, again, another = 0] = turnsOf('true');
    assert.equal(again, 1);
    assert.ok(another < first, `${another} turns for one more cluster, ${first} for two`);
    const [before, after] = turnsOf('managedCluster.scores("usage").size() == 0');
    assert.equal(after, before);
  });

  test('explain clusters only as long as that costs little', () => {
    const clusters = someClusters(...Array.from({ length: 300 }, (_, n) => `c${n}`));
    const outcome = schedule({ predicates: [cel(`!${costly}`)] }, clusters);
    const explained = clusters.filter(({ metadata }) => {
      const verdict = outcome.verdictOf(metadata.name ?? '');
      return verdict?.outcome === 'Rejected' && JSON.stringify(verdict.evidence).includes('x + y + z');
    });
    assert.ok(explained.length > 0 && explained.length < clusters.length, `${explained.length} are explained`);
  });

  test('explain which requirement a cluster misses, and what it has instead', () => {
    const outcome = schedule(
      {
        predicates: [
          labels({ region: 'sa', env: 'prod' }),
          claims('cpu', 'In', '4'),
          cel('managedCluster.metadata.labels.env == "prod"'),
        ],
      },
      fleet,
    );
    assert.deepEqual(outcome.verdictOf('bern'), {
      outcome: 'Rejected',
      plugin: 'Predicate',
      evidence: {
        kind: 'predicates',
        failures: [
          { predicate: 0, part: 'label', requirement: 'env=prod' },
          { predicate: 1, part: 'claim', requirement: 'cpu in (4)', value: '8' },
          {
            predicate: 2,
            part: 'expression',
            requirement: 'managedCluster.metadata.labels.env == "prod"',
            problem: 'no such key: env',
          },
        ],
      },
    });
  });
});

describe('tolerations', () => {
  const gpu = { key: 'gpu', value: 'a100', effect: 'NoSelect', timeAdded: '2026-01-01T11:59:00Z' } as const;
  const cluster = aManagedCluster('oslo', { taints: [gpu] });
  const rows: readonly (readonly [claim: string, tolerations: OcmToleration[], isSelected: boolean])[] = [
    ['none', [], false],
    ['the same key and value', [{ key: 'gpu', operator: 'Equal', value: 'a100' }], true],
    ['another value', [{ key: 'gpu', operator: 'Equal', value: 'h100' }], false],
    ['the key alone', [{ key: 'gpu', operator: 'Exists' }], true],
    ['any key', [{ operator: 'Exists' }], true],
    ['another effect', [{ key: 'gpu', operator: 'Exists', effect: 'NoSelectIfNew' }], false],
    ['an unknown operator', [{ key: 'gpu', operator: 'Like', value: 'a100' }], false],
    ['seconds that are not over', [{ key: 'gpu', operator: 'Exists', tolerationSeconds: 61 }], true],
    ['seconds that are just over', [{ key: 'gpu', operator: 'Exists', tolerationSeconds: 60 }], false],
    [
      'seconds that are over, and another that lasts',
      [
        { operator: 'Exists', tolerationSeconds: 1 },
        { key: 'gpu', operator: 'Exists' },
      ],
      true,
    ],
  ];
  for (const [claim, tolerations, isSelected] of rows) {
    test(`with ${claim} ${isSelected ? 'keep' : 'do not keep'} a cluster with a taint`, () => {
      assert.equal(schedule({ tolerations }, [cluster]).selected.length, isSelected ? 1 : 0);
    });
  }

  test('that expire say when', () => {
    const spec: OcmPlacementSpec = { tolerations: [{ key: 'gpu', operator: 'Exists', tolerationSeconds: 90 }] };
    assert.equal(schedule(spec, [cluster]).changesAt, now.getTime() + 30_000);
    const later = schedule(spec, [cluster], { now: new Date(now.getTime() + 30_000) });
    assert.deepEqual(later.verdictOf('oslo'), {
      outcome: 'Rejected',
      plugin: 'TaintToleration',
      evidence: { kind: 'taint', taint: gpu, expiredAt: now.getTime() + 30_000 },
    });
  });

  test('with seconds never keep a cluster whose taint has no time', () => {
    const untimed = aManagedCluster('oslo', { taints: [{ ...gpu, timeAdded: null }] });
    assert.equal(
      schedule({ tolerations: [{ operator: 'Exists', tolerationSeconds: 1e9 }] }, [untimed]).selected.length,
      0,
    );
  });

  test('are not needed for PreferNoSelect, nor for NoSelectIfNew where the cluster is selected', () => {
    const soft = aManagedCluster('bern', { taints: [{ key: 'old', effect: 'PreferNoSelect' }] });
    const ifNew = aManagedCluster('oslo', { taints: [{ key: 'full', effect: 'NoSelectIfNew' }] });
    assert.equal(namesIn(schedule({}, [soft, ifNew])), 'bern');
    assert.equal(namesIn(schedule({}, [soft, ifNew], { chosen: ['oslo'] })), 'oslo bern');
  });

  test('of PreferNoSelect do not lower a score, as in OCM', () => {
    const soft = aManagedCluster('bern', { taints: [{ key: 'old', effect: 'PreferNoSelect' }] });
    const { ranked } = schedule({}, [soft, ...someClusters('oslo')]);
    assert.deepEqual(
      ranked.map(({ row, score }) => [row.name, score]),
      [
        ['bern', 100],
        ['oslo', 100],
      ],
    );
  });

  // docs/seed-promises.md
  test('ignore their seconds for NoSelectIfNew, as the API says', () => {
    const ifNew = aManagedCluster('oslo', { taints: [{ ...gpu, effect: 'NoSelectIfNew' }] });
    assert.equal(
      namesIn(schedule({ tolerations: [{ key: 'gpu', operator: 'Exists', tolerationSeconds: 1 }] }, [ifNew])),
      'oslo',
    );
  });

  for (const [toleration, message] of [
    [{ operator: 'Equal', value: 'x' }, 'If the key is empty, operator must be Exists.'],
    [{ key: 'gpu', operator: 'Exists', value: 'x' }, 'If the operator is Exists, the value should be empty.'],
  ] as const) {
    test(`make the Placement misconfigured: ${message}`, () => {
      const outcome = schedule({ tolerations: [toleration] }, someClusters('bern'));
      assert.deepEqual(outcome.problem, { code: 'Misconfigured', plugin: 'TaintToleration', message });
      assert.deepEqual(
        outcome.filters.map(({ name }) => name),
        ['Predicate'],
      );
    });
  }
});
