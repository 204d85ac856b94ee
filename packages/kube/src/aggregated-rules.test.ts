import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregatedRules } from './aggregated-rules.ts';
import type { KubeObject } from './object.ts';

const get = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const list = { verbs: ['list'], apiGroups: [''], resources: ['pods'] };

function role(name: string, labels: Record<string, string>, rules: KubeObject['rules']): KubeObject {
  return {
    kind: 'ClusterRole',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name, labels },
    rules: rules ?? null,
  };
}

function gathering(...labels: string[]): KubeObject {
  const clusterRoleSelectors = labels.map((label) => ({ matchLabels: { [label]: 'true' } }));
  return { ...role('all', { a: 'true' }, null), aggregationRule: { clusterRoleSelectors } };
}

test('collects the rules of selected roles by name, each once', () => {
  const roles = [role('z', { a: 'true' }, [list]), role('b', { a: 'true' }, [get, list]), role('c', {}, [get])];
  assert.deepEqual(aggregatedRules(gathering('a'), roles), [get, list]);
});

test('follows the order of selectors, and ignores the role itself', () => {
  const self = { ...gathering('b', 'a'), rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] };
  const roles = [
    self,
    role('y', { a: 'true' }, [get]),
    role('z', { b: 'true' }, [list]),
    role('none', { a: 'true' }, null),
  ];
  assert.deepEqual(aggregatedRules(self, roles), [list, get]);
});

test('returns undefined for a role without an aggregationRule', () => {
  assert.equal(aggregatedRules(role('plain', {}, [get]), []), undefined);
});
