import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonPatchOverride, Override, OverrideRule, ResourceSelector } from '@flotilla/api';
import { maxOverrides, refusedOverride } from './refused-override.ts';

const role = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', name: 'reader' };
const scoped = { ...role, selectionScope: 'NamespaceWithResources' as const };
const add: JsonPatchOverride = { op: 'add', path: '/metadata/labels/sea', value: 'north' };
const rule: OverrideRule = {
  clusterSelector: { clusterSelectorTerms: [] },
  overrideType: 'JSONPatch',
  jsonPatchOverrides: [add],
};

function override(name: string, rules: OverrideRule[] = [rule], selectors: ResourceSelector[] = [scoped]): Override {
  const spec = { clusterResourceSelectors: selectors, policy: { overrideRules: rules } };
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'ClusterResourceOverride',
    metadata: { name },
    spec,
  };
}

function namespaced(name: string, selectors = [role]): Override {
  const spec = { resourceSelectors: selectors, policy: { overrideRules: [rule] } };
  return { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind: 'ResourceOverride', metadata: { name }, spec };
}

function patching(change: Partial<JsonPatchOverride>): string | undefined {
  const patches = [{ ...add, ...change }];
  return refusedOverride({
    isCreate: true,
    now: override('a', [{ ...rule, jsonPatchOverrides: patches }]),
    existing: [],
  });
}

const text =
  '{Group:rbac.authorization.k8s.io Version:v1 Kind:ClusterRole Name:reader LabelSelector:nil SelectionScope:NamespaceWithResources}';

describe('admission of an override', () => {
  test('accepts a valid one, and its own update', () => {
    assert.equal(refusedOverride({ isCreate: true, now: override('a'), existing: [] }), undefined);
    assert.equal(refusedOverride({ isCreate: false, now: override('a'), existing: [override('a')] }), undefined);
  });

  test('refuses a resource that another override selects', () => {
    assert.equal(
      refusedOverride({ isCreate: true, now: override('b'), existing: [override('a')] }),
      `invalid resource selector ${text}: the resource has been selected by both b and a, which is not supported`,
    );
    assert.equal(
      refusedOverride({ isCreate: true, now: namespaced('b'), existing: [namespaced('a')] }),
      'invalid resource selector {Group:rbac.authorization.k8s.io Version:v1 Kind:ClusterRole Name:reader}: the resource has been selected by both b and a, which is not supported',
    );
  });

  test('refuses more than a hundred, but not their updates', () => {
    const existing = Array.from({ length: maxOverrides }, (_, i) =>
      override(`o${i}`, [rule], [{ ...scoped, name: `n${i}` }]),
    );
    assert.equal(
      refusedOverride({ isCreate: true, now: override('a'), existing }),
      'clusterResourceOverride limit has been reached: at most 100 cluster resources can be created.',
    );
    assert.equal(refusedOverride({ isCreate: false, now: override('a'), existing }), undefined);
  });

  test('refuses selectors that do not name an object, and names them all', () => {
    const { name: _, ...nameless } = scoped;
    const labelled = { ...nameless, labelSelector: { matchLabels: { a: 'b' } } };
    const now = override('a', [rule], [labelled, nameless, scoped, scoped]);
    const refusal = refusedOverride({ isCreate: true, now, existing: [] }) ?? '';
    const selector = '{Group:rbac.authorization.k8s.io Version:v1 Kind:ClusterRole Name: LabelSelector';
    assert.ok(
      refusal.includes(
        `label selector is not supported for resource selection ${selector}:&LabelSelector{MatchLabels:map[string]string{a: b,}`,
      ),
      refusal,
    );
    assert.ok(refusal.includes(`resource name is required for resource selection ${selector}:nil`), refusal);
    assert.ok(refusal.includes(`resource selector ${text} already exists, and must be unique`), refusal);
  });

  test('refuses rules that select by property, or by nothing', () => {
    const termed = (term: object) => {
      const now = override('a', [{ ...rule, clusterSelector: { clusterSelectorTerms: [term] } }]);
      return refusedOverride({ isCreate: true, now, existing: [] });
    };
    assert.match(
      termed({ propertySorter: { name: 'a', sortOrder: 'Ascending' } }) ?? '',
      /only labelSelector is supported$/,
    );
    assert.match(termed({}) ?? '', /: labelSelector is required$/);
  });

  for (const [path, refusal] of [
    ['', 'path cannot be empty'],
    ['spec', 'path must start with /'],
    ['/kind', 'cannot override typeMeta fields'],
    ['/apiVersion', 'cannot override typeMeta fields'],
    ['/metadata', 'cannot override field metadata'],
    ['/metadata/name', 'cannot override metadata fields except annotations and labels'],
    ['/status/phase', 'cannot override status fields'],
    ['/spec//a', 'path cannot contain empty string'],
    ['/', 'path cannot contain empty string'],
  ] as const) {
    test(`refuses to patch ${path === '' ? 'an empty path' : path}`, () => {
      const message = patching({ path }) ?? '';
      assert.ok(message.endsWith(`: ${refusal}`), message);
    });
  }

  test('refuses a value to remove, and patches that do not fit the type', () => {
    assert.equal(
      patching({ op: 'remove' }),
      'invalid JSONPatchOverride {remove /metadata/labels/sea {"north"}}: remove operation cannot have value',
    );
    const typed = (change: Partial<OverrideRule>) =>
      refusedOverride({ isCreate: true, now: override('a', [{ ...rule, ...change }]), existing: [] });
    assert.equal(
      typed({ overrideType: 'Delete' }),
      'invalid JSONPatchOverrides: JSONPatchOverrides cannot be set when the override type is Delete',
    );
    assert.equal(typed({ jsonPatchOverrides: [] }), 'invalid JSONPatchOverrides: JSONPatchOverrides cannot be empty');
  });
});
