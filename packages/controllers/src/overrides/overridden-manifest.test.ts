import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonPatchOverride, OverrideRule, OverrideSnapshot } from '@flotilla/api';
import type { JsonObject, JsonValue } from '@flotilla/kube';
import { namedOverrides, overriddenManifest } from './overridden-manifest.ts';
import {
  clusterOverride,
  isClusterScoped,
  labelled,
  memberCluster,
  namedAs,
  namespacedOverride,
  resource,
  setting,
  toAll,
} from './overrides.testing.ts';

const cluster = memberCluster('sea', { region: 'east', 'example.com/tier': 'gold' });
const configMap = resource('v1 ConfigMap app/web', { data: { a: '1', list: ['x', 'y'] } });

function overridden(snapshots: OverrideSnapshot[], manifest = configMap): JsonObject | string | undefined {
  const result = overriddenManifest(manifest, cluster, namedAs(...snapshots), isClusterScoped);
  return result.problem === undefined ? result.value : result.problem;
}

function dataAfter(snapshots: OverrideSnapshot[]): JsonValue | undefined {
  const result = overridden(snapshots);
  return typeof result === 'object' ? result['data'] : result;
}

const onNamespace = (...rules: OverrideRule[]) => clusterOverride('cro', 'v1 Namespace app', { rules });
const onConfigMap = (...rules: OverrideRule[]) => namespacedOverride('app/ro', 'v1 ConfigMap web', { rules });
const deletion: OverrideRule = { ...toAll, overrideType: 'Delete' };

function patches(...jsonPatchOverrides: JsonPatchOverride[]): OverrideRule {
  return { ...toAll, jsonPatchOverrides };
}

describe('a manifest for a cluster', () => {
  test('is the given one if no override selects it', () => {
    assert.equal(overridden([]), configMap);
    assert.equal(overridden([clusterOverride('cro', 'v1 Namespace other', { rules: [deletion] })]), configMap);
    assert.equal(overridden([onConfigMap(labelled({ region: 'west' }))]), configMap);
  });

  test('has the changes of its own override after those of its namespace', () => {
    const both = [
      onConfigMap(setting('/data/a', 'own')),
      onNamespace(setting('/data/a', 'ns'), setting('/data/b', 'ns')),
    ];
    assert.deepEqual(dataAfter(both), { a: 'own', b: 'ns', list: ['x', 'y'] });
  });

  test('has the changes of rules and overrides in their order', () => {
    const rules = [setting('/data/a', 'first'), setting('/data/a', 'second')];
    assert.deepEqual(dataAfter([onConfigMap(...rules)]), { a: 'second', list: ['x', 'y'] });
    const later = namespacedOverride('app/ro2', 'v1 ConfigMap web', { rules: [setting('/data/a', 'later')] });
    assert.deepEqual(dataAfter([onConfigMap(...rules), later]), { a: 'later', list: ['x', 'y'] });
    assert.deepEqual(dataAfter([later, onConfigMap(...rules)]), { a: 'second', list: ['x', 'y'] });
  });

  test('leaves the given one as it is', () => {
    const before = JSON.stringify(configMap);
    overridden([onConfigMap(setting('/data/a', 'new'))]);
    assert.equal(JSON.stringify(configMap), before);
  });

  test('of a cluster-scoped object has the changes for its name, not those for a namespace', () => {
    const role = resource('rbac/v1 ClusterRole app', { rules: [] });
    const rules = [setting('/x', '1')];
    const own = clusterOverride('cro', 'rbac/v1 ClusterRole app', { rules });
    const stray = namespacedOverride('app/ro', 'rbac/v1 ClusterRole app', { rules: [deletion] });
    assert.deepEqual(overridden([own, stray, onNamespace(deletion)], role), { ...role, x: '1' });
    assert.deepEqual(overridden([onNamespace(setting('/x', '1'))], resource('v1 Namespace app')), {
      ...resource('v1 Namespace app'),
      x: '1',
    });
  });

  test('does not exist if a rule deletes it, whatever comes later', () => {
    assert.equal(overridden([onConfigMap(deletion, setting('/data/missing/x', 'y'))]), undefined);
    assert.equal(overridden([onNamespace(deletion), onConfigMap(setting('/data/missing/x', 'y'))]), undefined);
  });
});

describe('a patch', () => {
  const add = (path: string, value?: JsonValue): JsonPatchOverride => ({ op: 'add', path, value: value ?? null });

  test('may use negative indexes, and adds null for a missing value', () => {
    assert.deepEqual(dataAfter([onConfigMap(patches(add('/data/list/-1', 'z'), add('/data/none')))]), {
      a: '1',
      list: ['x', 'y', 'z'],
      none: null,
    });
  });

  const failures: [JsonPatchOverride, string][] = [
    [
      { op: 'replace', path: '/data/missing', value: 'x' },
      'replace operation does not apply: doc is missing key: /data/missing: missing value',
    ],
    [
      { op: 'remove', path: '/data/missing' },
      "error in remove for path: '/data/missing': unable to remove nonexistent key: missing: missing value",
    ],
    [add('/spec/x', 1), 'add operation does not apply: doc is missing path: "/spec/x": missing value'],
    [add('/data/a', '${MEMBER-CLUSTER-LABEL-KEY-zone}'), 'label key zone not found on cluster sea'],
    [
      add('/data/a', '${MEMBER-CLUSTER-LABEL-KEY-zone'),
      'input "${MEMBER-CLUSTER-LABEL-KEY-zone" is missing the closing bracket `}`',
    ],
    [{ op: 'replace', path: '', value: [] }, 'the patched resource is not an object'],
  ];
  for (const [operation, cause] of failures) {
    test(`that fails says "${cause}"`, () => {
      const target = 'ConfigMap "web" in namespace "app"';
      assert.equal(
        overridden([onConfigMap(patches(operation))]),
        `ResourceOverrideSnapshot "ro-0" failed to apply on ${target}: ${cause}`,
      );
      assert.equal(
        overridden([onNamespace(patches(operation))]),
        `ClusterResourceOverrideSnapshot "cro-0" failed to apply on ${target}: ${cause}`,
      );
    });
  }

  test('that fails names a cluster-scoped object without a namespace', () => {
    const role = resource('rbac/v1 ClusterRole app');
    const override = clusterOverride('cro', 'rbac/v1 ClusterRole app', { rules: [patches(add('/a/b', 1))] });
    assert.match(
      JSON.stringify(overridden([override], role)),
      / failed to apply on ClusterRole \\"app\\": add operation/,
    );
  });

  test('has the name and the labels of the cluster in its values, not in its path', () => {
    const value = {
      '${MEMBER-CLUSTER-NAME}': [
        '${MEMBER-CLUSTER-NAME}/${MEMBER-CLUSTER-LABEL-KEY-example.com/tier}',
        9007199254740993n,
      ],
      plain: '${OTHER} $& ${MEMBER-CLUSTER-LABEL-KEY-region}${MEMBER-CLUSTER-LABEL-KEY-region}',
    };
    assert.deepEqual(dataAfter([onConfigMap(patches(add('/data', value)))]), {
      sea: ['sea/gold', 9007199254740993n],
      plain: '${OTHER} $& easteast',
    });
    const path = '/data/${MEMBER-CLUSTER-NAME}';
    assert.deepEqual(dataAfter([onConfigMap(patches(add(path, 1)))]), {
      a: '1',
      list: ['x', 'y'],
      '${MEMBER-CLUSTER-NAME}': 1,
    });
  });

  test('finds no label in the prototype of an object', () => {
    const operation = add('/data/a', '${MEMBER-CLUSTER-LABEL-KEY-constructor}');
    assert.match(JSON.stringify(overridden([onConfigMap(patches(operation))])), /label key constructor not found/);
  });

  test('of an invalid rule says which selector is wrong', () => {
    const labelSelector = { matchExpressions: [{ key: 'a', operator: 'Like' }] };
    const rule = { ...toAll, clusterSelector: { clusterSelectorTerms: [{ labelSelector }] } };
    assert.equal(
      overridden([onConfigMap(rule)]),
      'ResourceOverrideSnapshot "ro-0" failed to apply on ConfigMap "web" in namespace "app": invalid cluster label selector ' +
        '{"matchExpressions":[{"key":"a","operator":"Like"}]}: "Like" is not a valid label selector operator',
    );
  });
});

test('a binding that names a missing snapshot cannot be overridden', () => {
  const nothing = { cluster: () => undefined, namespaced: () => undefined };
  assert.deepEqual(namedOverrides({ clusterResourceOverrideSnapshots: ['cro-0'] }, nothing), {
    problem: 'clusterResourceOverrideSnapshot cro-0 is not found',
  });
  const resourceOverrideSnapshots = [{ name: 'ro-0', namespace: 'app' }];
  assert.deepEqual(namedOverrides({ resourceOverrideSnapshots }, nothing), {
    problem: 'resourceOverrideSnapshot {ro-0 app} is not found',
  });
});
