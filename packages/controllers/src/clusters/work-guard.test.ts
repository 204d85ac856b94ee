import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, ObjectMeta, RoleBinding, Subject } from '@flotilla/kube';
import { bindingOfMemberIn, isMember, refusedWorkChange } from './work-guard.ts';

const cleanup = 'kubernetes-fleet.io/work-cleanup';

function aWork(metadata: ObjectMeta = {}, spec: KubeObject['spec'] = { workload: { manifests: [{ kind: 'A' }] } }) {
  const fixed = { namespace: 'fleet-member-sea', name: 'shop', uid: 'u', resourceVersion: '1', generation: 1 };
  const apiVersion = 'placement.kubernetes-fleet.io/v1beta1';
  return { apiVersion, kind: 'Work', metadata: { ...fixed, ...metadata }, ...(spec !== undefined && { spec }) };
}

describe('a member may', () => {
  test('add and remove its finalizer, beside other finalizers', () => {
    const others = ['a/b', 'c/d'];
    assert.equal(refusedWorkChange(aWork(), aWork({ finalizers: [cleanup] })), undefined);
    assert.equal(refusedWorkChange(aWork({ finalizers: [cleanup] }), aWork()), undefined);
    assert.equal(
      refusedWorkChange(aWork({ finalizers: others }), aWork({ finalizers: ['a/b', cleanup, 'c/d'] })),
      undefined,
    );
  });

  test('omit metadata that the server sets', () => {
    const after = aWork({ resourceVersion: '2', generation: 2, managedFields: [{ manager: 'agent' }] });
    assert.equal(refusedWorkChange(aWork(), after), undefined);
  });

  test('write empty values for absent ones, as typed clients do', () => {
    const after = aWork({ labels: {}, annotations: {}, ownerReferences: [] }, { workload: {} });
    assert.equal(refusedWorkChange(aWork({}, null), after), undefined);
    assert.equal(refusedWorkChange(aWork({}, { workload: {} }), aWork({}, null)), undefined);
  });
});

describe('a member may not', () => {
  const cases: [string, KubeObject, KubeObject][] = [
    ['change the spec', aWork(), aWork({}, { workload: { manifests: [] } })],
    ['drop the spec', aWork(), aWork({}, null)],
    ['add to the spec', aWork(), aWork({}, { workload: { manifests: [{ kind: 'A' }] }, applyStrategy: {} })],
    ['change labels', aWork({ labels: { a: 'b' } }), aWork({ labels: { a: 'c' } })],
    ['add annotations', aWork(), aWork({ annotations: { a: 'b' } })],
    ['remove owners', aWork({ ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'a' }] }), aWork()],
    ['remove finalizers of others', aWork({ finalizers: ['a/b'] }), aWork()],
    ['add finalizers of its own', aWork(), aWork({ finalizers: ['a/b'] })],
    ['order the finalizers of others', aWork({ finalizers: ['a/b', 'c/d'] }), aWork({ finalizers: ['c/d', 'a/b'] })],
  ];
  for (const [what, before, after] of cases) {
    test(what, () =>
      assert.match(refusedWorkChange(before, after) ?? '', /^a member may add or remove the finalizer /),
    );
  }

  test('get a refusal that names only some of its changes', () => {
    const refusal = refusedWorkChange(aWork(), aWork({ labels: { a: 'b' } }, null));
    assert.match(refusal ?? '', /; this would change metadata\.labels, spec$/);
  });
});

describe('a caller is a member', () => {
  function binding(...subjects: Subject[]): RoleBinding {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
    return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: {}, subjects, roleRef };
  }

  test('as a user, in a group, or as a service account', () => {
    const user = { name: 'ann', groups: ['crew'] };
    const account = { name: 'system:serviceaccount:fleet-system:sea', groups: [] };
    assert.ok(isMember(binding({ kind: 'User', name: 'ann' }), user));
    assert.ok(isMember(binding({ kind: 'Group', name: 'crew' }), user));
    assert.ok(isMember(binding({ kind: 'ServiceAccount', namespace: 'fleet-system', name: 'sea' }), account));
    assert.ok(!isMember(binding({ kind: 'User', name: 'crew' }), user));
    assert.ok(!isMember(binding({ kind: 'ServiceAccount', namespace: 'other', name: 'sea' }), account));
    assert.ok(!isMember(binding(), user));
  });

  test('in the namespace of that member only', () => {
    const key = { namespace: 'fleet-member-sea', name: 'fleet-rolebinding-sea' };
    assert.deepEqual(bindingOfMemberIn('fleet-member-sea'), key);
    assert.equal(bindingOfMemberIn('default'), undefined);
  });
});
