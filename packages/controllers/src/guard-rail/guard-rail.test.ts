import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MemberCluster } from '@flotilla/api';
import { administrator, serviceAccountUser, type JsonObject, type User } from '@flotilla/kube';
import type { GuardedRequest } from './guard-users.ts';
import { refusedMemberChange } from './refused-member-change.ts';
import {
  isIdentityOf,
  memberOfNamespace,
  refusedDefinition,
  refusedNamespace,
  refusedUser,
} from './refused-request.ts';

const settings = { whitelistedUsers: ['olga'], deniesLabelChanges: false };
const user = (name: string, ...groups: string[]): User => ({ name, groups });
const anna = user('anna', 'system:authenticated');
const olga = user('olga', 'system:authenticated');
const account = serviceAccountUser({ namespace: 'shop', name: 'robot' });

function request(by: User, change: Partial<GuardedRequest> = {}): GuardedRequest {
  const gvk = { group: '', version: 'v1', kind: 'Namespace' };
  return { operation: 'CREATE', gvk, subresource: '', namespace: '', name: 'kube-x', user: by, ...change };
}

describe('the guard rail', () => {
  const allowed: [string, User, boolean][] = [
    ['a user', anna, false],
    ['a whitelisted user', olga, true],
    ['an administrator', administrator, true],
    ['an administrator of kubeadm', user('k', 'kubeadm:cluster-admins'), true],
    ['a service account of any namespace', account, true],
    ['a node', user('system:node:a', 'system:nodes'), true],
    ['the scheduler', user('system:kube-scheduler'), true],
    ['the controller manager', user('system:kube-controller-manager'), true],
    ["Azure's support", user('aks-support'), true],
    ['a user named like a group', user('system:masters'), false],
  ];
  for (const [who, by, isAllowed] of allowed) {
    test(`${isAllowed ? 'lets' : 'does not let'} ${who} write in reserved namespaces`, () => {
      assert.equal(refusedUser(request(by), settings) === undefined, isAllowed);
    });
  }

  test('refuses with the sentences of KubeFleet', () => {
    const work = {
      operation: 'UPDATE',
      gvk: { group: 'placement.kubernetes-fleet.io', version: 'v1beta1', kind: 'Work' },
      subresource: 'status',
      namespace: 'fleet-member-sea',
      name: 'w',
    };
    const by = user('anna', 'a', 'b');
    assert.equal(
      refusedUser(request(by, work), settings),
      "user: 'anna' in 'groups: [a b]' is not allowed to UPDATE resource placement.kubernetes-fleet.io/v1beta1, Kind=Work/status: fleet-member-sea/w",
    );
    const many = user('anna', ...Array.from('abcdefghijk'));
    assert.equal(
      refusedNamespace(request(many), settings),
      "user: 'anna' in 'groups: [a, b, c,......]' is not allowed to CREATE resource /v1, Kind=Namespace/: /kube-x",
    );
  });

  const definitions: [string, User, boolean][] = [
    ['memberclusters.cluster.kubernetes-fleet.io', anna, true],
    ['works.placement.kubernetes-fleet.io', account, true],
    ['clusterprofiles.multicluster.x-k8s.io', anna, true],
    ['internalserviceexports.networking.fleet.azure.com', anna, true],
    ['works.placement.kubernetes-fleet.io', olga, false],
    ['works.placement.kubernetes-fleet.io', administrator, false],
    ['works.placement.kubernetes-fleet.io.example.com', anna, false],
    ['boats.sea.example', anna, false],
  ];
  for (const [name, by, isRefused] of definitions) {
    test(`${isRefused ? 'refuses' : 'allows'} ${by.name} the definition ${name}`, () => {
      assert.equal(refusedDefinition(request(by, { name }), settings) !== undefined, isRefused);
    });
  }

  test('reserves the namespaces fleet-* and kube-*, and no others', () => {
    const refused = ['fleet-', 'fleet-system', 'kube-public', 'fleet', 'my-kube-x', 'shop'].filter(
      (name) => refusedNamespace(request(anna, { name }), settings) !== undefined,
    );
    assert.deepEqual(refused, ['fleet-', 'fleet-system', 'kube-public']);
  });

  test('knows the agent of a member by user, service account or group', () => {
    const member = (kind: string, name: string) => ({ spec: { identity: { kind, name } } }) as unknown as MemberCluster;
    assert.equal(memberOfNamespace('fleet-member-sea'), 'sea');
    assert.equal(memberOfNamespace('fleet-member-'), undefined);
    assert.ok(isIdentityOf(member('User', 'anna'), anna));
    assert.ok(isIdentityOf(member('ServiceAccount', 'sea'), user('system:serviceaccount:fleet-system:sea')));
    assert.ok(isIdentityOf(member('Group', 'system:authenticated'), anna));
    assert.ok(!isIdentityOf(member('User', 'system:authenticated'), anna));
    assert.ok(!isIdentityOf(member('Group', 'anna'), anna));
  });
});

describe('a change of a MemberCluster', () => {
  const managed = { 'fleet.azure.com/cluster-resource-id': '1' };
  interface Parts {
    readonly annotations?: Record<string, string>;
    readonly labels?: Record<string, string>;
    readonly finalizers?: string[];
    readonly spec?: JsonObject;
    readonly status?: JsonObject;
  }
  const cluster = ({ spec, status, ...metadata }: Parts): MemberCluster =>
    ({
      apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
      kind: 'MemberCluster',
      metadata: { name: 'sea', ...metadata },
      spec: { identity: { kind: 'User', name: 'sea' }, ...spec },
      ...(status && { status }),
    }) as unknown as MemberCluster;

  const theUser = /^user: 'anna' in .* is not allowed to/;
  const added = /^no user is allowed to add a fleet pre-fixed annotation to an upstream member cluster$/;
  const removed = /^no user is allowed to remove all fleet pre-fixed annotations from a fleet member cluster$/;
  const labels = /^users are not allowed to modify labels through hub cluster directly$/;
  const two = { ...managed, 'fleet.azure.com/other': '2' };
  const status = { conditions: [] };
  const taint = { key: 'a', effect: 'NoSchedule' };
  const cases: [string, User, old: Parts | undefined, now: Parts | undefined, RegExp | undefined][] = [
    ['creation', anna, undefined, {}, undefined],
    ['deletion', anna, {}, undefined, undefined],
    ['creation of a managed one', anna, undefined, { annotations: managed }, theUser],
    ['deletion of a managed one', anna, { annotations: managed }, undefined, theUser],
    ['deletion of a managed one by a service account', account, { annotations: managed }, undefined, undefined],
    ['of the spec', anna, {}, { spec: { heartbeatPeriodSeconds: 5 } }, undefined],
    ['of the status', anna, {}, { status }, theUser],
    ['of the status by a trusted user', olga, {}, { status }, undefined],
    ['that makes it managed', administrator, {}, { annotations: managed }, added],
    ['that makes it unmanaged', administrator, { annotations: managed }, {}, removed],
    ['of a managed spec', anna, { annotations: managed }, { annotations: managed, spec: { a: 1 } }, theUser],
    ['of a managed status', anna, { annotations: managed }, { annotations: managed, status }, theUser],
    ['of managed finalizers', anna, { annotations: managed }, { annotations: managed, finalizers: ['f'] }, theUser],
    [
      'of managed taints',
      anna,
      { annotations: managed },
      { annotations: managed, spec: { taints: [taint] } },
      undefined,
    ],
    [
      'of a managed annotation',
      anna,
      { annotations: two },
      { annotations: { ...two, ...managed, 'fleet.azure.com/other': '3' } },
      theUser,
    ],
    ['that drops one of two annotations', anna, { annotations: two }, { annotations: managed }, theUser],
    ['that adds an annotation', anna, { annotations: managed }, { annotations: two }, undefined],
    ['of managed labels', anna, { annotations: managed }, { annotations: managed, labels: { a: 'b' } }, undefined],
  ];
  for (const [what, by, old, now, sentence] of cases) {
    test(`${what} is ${sentence ? 'refused' : 'allowed'}`, () => {
      const change = { object: now && cluster(now), oldObject: old && cluster(old) };
      const refusal = refusedMemberChange({ request: request(by), ...change }, settings);
      if (sentence) assert.match(refusal ?? 'allowed', sentence);
      else assert.equal(refusal, undefined);
    });
  }

  const labelCases: [User, Record<string, string>, Record<string, string>, boolean][] = [
    [anna, {}, { a: 'b' }, true],
    [olga, { a: 'b' }, { a: 'c' }, true],
    [account, { a: 'b' }, {}, true],
    [administrator, {}, { a: 'b' }, false],
    [anna, {}, { 'kubernetes-fleet.io/a': 'b' }, false],
    [anna, { a: 'b' }, { a: 'b' }, false],
  ];
  for (const [by, from, to, isRefused] of labelCases) {
    const name = `from ${JSON.stringify(from)} to ${JSON.stringify(to)} by ${by.name}`;
    test(`of protected labels ${name} is ${isRefused ? 'refused' : 'allowed'}`, () => {
      const change = (managedLabels: Record<string, string>) =>
        cluster({ annotations: managed, labels: managedLabels });
      const refusal = refusedMemberChange(
        { request: request(by), object: change(to), oldObject: change(from) },
        { ...settings, deniesLabelChanges: true },
      );
      if (isRefused) assert.match(refusal ?? 'allowed', labels);
      else assert.equal(refusal, undefined);
    });
  }
});
