import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MemberCluster, OverrideSnapshot } from '@flotilla/api';
import type { JsonObject, ObjectKey } from '@flotilla/kube';
import { candidatesAmong, placedIdentities } from './candidates.ts';
import { matchingOverrides, overridesFor } from './matching-overrides.ts';
import {
  clusterOverride,
  finderOf,
  isClusterScoped,
  labelled,
  memberCluster,
  namespacedOverride,
  resource,
  toAll,
} from './overrides.testing.ts';

interface Scene {
  readonly placement?: ObjectKey;
  readonly resources?: JsonObject[];
  readonly snapshots: OverrideSnapshot[];
  readonly cluster?: MemberCluster;
}

const app = [resource('v1 Namespace app'), resource('v1 ConfigMap app/web')];

/** The names in a binding: first those of ClusterResourceOverrides. */
function matched({ placement = { name: 'crp' }, resources = app, snapshots, cluster = memberCluster('sea') }: Scene) {
  const candidates = candidatesAmong(placedIdentities(resources), isClusterScoped);
  const names = overridesFor(cluster, matchingOverrides(placement, candidates, finderOf(...snapshots)));
  const namespaced = names.resourceOverrideSnapshots.map(({ namespace, name }) => `${namespace}/${name}`);
  return [...names.clusterResourceOverrideSnapshots, ...namespaced];
}

const sample = {
  namespace: clusterOverride('cro', 'v1 Namespace app'),
  configMap: namespacedOverride('app/ro', 'v1 ConfigMap web'),
};

describe('an override reaches a placement', () => {
  test('that places the selected object', () => {
    assert.deepEqual(matched({ snapshots: [sample.namespace, sample.configMap] }), ['cro-0', 'app/ro-0']);
    const others = [
      clusterOverride('name', 'v1 Namespace other'),
      clusterOverride('version', 'v2 Namespace app'),
      clusterOverride('group', 'x/v1 Namespace app'),
      clusterOverride('object', 'v1 ConfigMap web'),
      namespacedOverride('other/ro', 'v1 ConfigMap web'),
      namespacedOverride('app/namespace', 'v1 Namespace app'),
    ];
    assert.deepEqual(matched({ snapshots: others }), []);
  });

  test('that places only objects of a selected namespace', () => {
    const resources = [resource('apps/v1 Deployment app/web')];
    assert.deepEqual(matched({ resources, snapshots: [sample.namespace] }), ['cro-0']);
  });

  test('that places a selected object of a kind that the hub does not serve as if it were namespaced', () => {
    const resources = [resource('x.io/v1 Widget app/w'), resource('x.io/v1 Gadget g')];
    const snapshots = [
      namespacedOverride('app/ro', 'x.io/v1 Widget w'),
      clusterOverride('cro', 'x.io/v1 Gadget g'),
      sample.namespace,
    ];
    assert.deepEqual(matched({ resources, snapshots }), ['cro-0', 'app/ro-0']);
  });

  const references: [string, ObjectKey, OverrideSnapshot, boolean][] = [
    ['crp', { name: 'crp' }, clusterOverride('cro', 'v1 Namespace app', at('crp')), true],
    ['another crp', { name: 'crp' }, clusterOverride('cro', 'v1 Namespace app', at('other')), false],
    ['crp', { namespace: 'app', name: 'crp' }, clusterOverride('cro', 'v1 Namespace app', at('crp')), false],
    [
      'app/rp, as a name',
      { namespace: 'app', name: 'rp' },
      clusterOverride('cro', 'v1 Namespace app', at('app/rp')),
      false,
    ],
    ['none', { namespace: 'app', name: 'rp' }, sample.namespace, true],
    ['crp', { name: 'crp' }, namespacedOverride('app/ro', 'v1 ConfigMap web', at('crp')), true],
    ['rp', { name: 'rp' }, namespacedOverride('app/ro', 'v1 ConfigMap web', at('rp', 'Namespaced')), false],
    [
      'rp',
      { namespace: 'app', name: 'rp' },
      namespacedOverride('app/ro', 'v1 ConfigMap web', at('rp', 'Namespaced')),
      true,
    ],
    ['crp', { namespace: 'app', name: 'crp' }, namespacedOverride('app/ro', 'v1 ConfigMap web', at('crp')), false],
    ['none', { namespace: 'app', name: 'rp' }, sample.configMap, true],
  ];
  for (const [named, placement, snapshot, isFor] of references) {
    const { namespace, name } = placement;
    const whether = isFor ? 'reaches' : 'does not reach';
    test(`a ${snapshot.kind} for ${named} ${whether} ${namespace === undefined ? '' : `${namespace}/`}${name}`, () => {
      assert.equal(matched({ placement, snapshots: [snapshot] }).length, isFor ? 1 : 0);
    });
  }

  function at(name: string, scope: 'Cluster' | 'Namespaced' = 'Cluster') {
    return { placement: { name, scope } };
  }
});

describe('the contents of an envelope', () => {
  const data = {
    role: resource('rbac/v1 ClusterRole admin'),
    web: resource('v1 ConfigMap app/web'),
    stray: resource('v1 ConfigMap other/web'),
    broken: 'x',
  };
  const snapshots = [
    clusterOverride('role', 'rbac/v1 ClusterRole admin'),
    clusterOverride('namespace', 'v1 Namespace app'),
    clusterOverride('other', 'v1 Namespace other'),
    clusterOverride('envelope', 'placement.kubernetes-fleet.io/v1beta1 ClusterResourceEnvelope box'),
    namespacedOverride('app/web', 'v1 ConfigMap web'),
    namespacedOverride('other/web', 'v1 ConfigMap web'),
    namespacedOverride('app/box', 'placement.kubernetes-fleet.io/v1beta1 ResourceEnvelope box'),
    namespacedOverride('app/config-box', 'v1 ConfigMap box'),
  ];

  test('of a cluster are candidates where they are cluster-scoped', () => {
    const resources = [resource('placement.kubernetes-fleet.io/v1beta1 ClusterResourceEnvelope box', { data })];
    assert.deepEqual(matched({ resources, snapshots }), ['role-0']);
  });

  test('of a namespace are candidates where they belong to it', () => {
    const resources = [resource('placement.kubernetes-fleet.io/v1beta1 ResourceEnvelope app/box', { data })];
    assert.deepEqual(matched({ resources, snapshots }), ['namespace-0', 'app/web-0']);
    const empty = [resource('placement.kubernetes-fleet.io/v1beta1 ResourceEnvelope app/box')];
    assert.deepEqual(matched({ resources: empty, snapshots }), ['namespace-0']);
  });

  test('in a marked ConfigMap are candidates, and may omit its namespace', () => {
    const role = 'apiVersion: rbac/v1\nkind: ClusterRole\nmetadata: {name: admin}';
    const box = resource('v1 ConfigMap app/box', {
      data: { web: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}', role },
    });
    assert.deepEqual(matched({ resources: [box], snapshots }), ['namespace-0', 'app/config-box-0']);
    const annotations = { 'kubernetes-fleet.io/envelope-configmap': 'true' };
    const marked = { ...box, metadata: { ...(box['metadata'] as JsonObject), annotations } };
    assert.deepEqual(matched({ resources: [marked], snapshots }), ['namespace-0', 'role-0', 'app/web-0']);
  });
});

describe('an override reaches a cluster', () => {
  const rule = (clusterSelector: object | undefined) =>
    ({ overrideType: 'JSONPatch', clusterSelector }) as typeof toAll;
  const cases: [string, typeof toAll, boolean][] = [
    ['no selector', rule(undefined), false],
    ['no terms', toAll, true],
    ['a term without a label selector', rule({ clusterSelectorTerms: [{}] }), false],
    ['an empty label selector', rule({ clusterSelectorTerms: [{ labelSelector: {} }] }), true],
    ['matching labels', labelled({ region: 'east' }), true],
    ['other labels', labelled({ region: 'west' }), false],
    [
      'one matching term',
      rule({
        clusterSelectorTerms: [
          { labelSelector: { matchLabels: { region: 'west' } } },
          { labelSelector: { matchLabels: { region: 'east' } } },
        ],
      }),
      true,
    ],
    [
      'an invalid selector, so that its failure is reported',
      rule({ clusterSelectorTerms: [{ labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }] }),
      true,
    ],
  ];
  for (const [selector, one, isFor] of cases) {
    test(`${isFor ? 'with' : 'never with'} ${selector}`, () => {
      const snapshots = [clusterOverride('cro', 'v1 Namespace app', { rules: [one] })];
      const cluster = memberCluster('sea', { region: 'east' });
      assert.deepEqual(matched({ snapshots, cluster }), isFor ? ['cro-0'] : []);
    });
  }

  test('if any of its rules is for the cluster', () => {
    const rules = [labelled({ region: 'west' }), labelled({ region: 'east' })];
    const snapshots = [clusterOverride('cro', 'v1 Namespace app', { rules })];
    assert.deepEqual(matched({ snapshots, cluster: memberCluster('sea', { region: 'east' }) }), ['cro-0']);
    assert.deepEqual(matched({ snapshots, cluster: memberCluster('sea') }), []);
  });
});

describe('the override snapshots of a binding', () => {
  test('are sorted as strings: by name, and by namespace first', () => {
    const resources = [resource('v1 Namespace b'), resource('v1 ConfigMap b/web'), resource('v1 ConfigMap a/web')];
    const snapshots = [
      clusterOverride('x', 'v1 Namespace b', { index: 9 }),
      clusterOverride('x-1', 'v1 Namespace b', { index: 0 }),
      namespacedOverride('b/a', 'v1 ConfigMap web'),
      namespacedOverride('a/z', 'v1 ConfigMap web'),
    ];
    assert.deepEqual(matched({ resources, snapshots }), ['x-1-0', 'x-9', 'a/z-0', 'b/a-0']);
  });

  test('are only the latest', () => {
    const snapshots = [0, 1].map((index) =>
      clusterOverride('cro', 'v1 Namespace app', { index, isLatest: index === 1 }),
    );
    assert.deepEqual(matched({ snapshots }), ['cro-1']);
  });

  test('hold one of each override, while it gets a new one', () => {
    const unlabelled = [9, 10].map((index) => clusterOverride('cro', 'v1 Namespace app', { index, isLatest: false }));
    assert.deepEqual(matched({ snapshots: unlabelled }), ['cro-10']);
    const snapshots = [9, 10].map((index) => clusterOverride('cro', 'v1 Namespace app', { index }));
    assert.deepEqual(matched({ snapshots }), ['cro-10']);
    assert.deepEqual(matched({ snapshots: snapshots.toReversed() }), ['cro-10']);
  });
});

test('resources of any shape are no candidates', () => {
  const hostile = [null, 1, 'x', [], {}, { kind: 1, metadata: 'x' }, { apiVersion: 'v1', kind: 'ConfigMap', data: 3 }];
  assert.doesNotThrow(() => candidatesAmong(placedIdentities(hostile), isClusterScoped));
});
