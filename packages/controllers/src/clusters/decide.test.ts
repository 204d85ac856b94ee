import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plan } from '@flotilla/runtime';
import { decideMembership } from './decide.ts';
import { defaultMembership, type MemberState } from './member-state.ts';
import { aCondition, aMember, anAgent, anInternal, aNamespace, aState, now, statusIn, told } from './member.testing.ts';

function decided(state: MemberState, networkingAgents = false): Plan {
  return decideMembership(state, { ...defaultMembership, networkingAgents }, now);
}

const bare = { namespace: undefined, role: undefined, roleBinding: undefined, internal: undefined };

describe('a new member', () => {
  test('gets its finalizer before anything is created for it', () => {
    const plan = decided(aState({ ...bare, cluster: aMember({ labels: { a: 'b' }, finalizers: ['other'] }) }));
    assert.deepEqual(told(plan), [['patch MemberCluster sea']]);
    const [[write] = []] = plan.steps;
    assert.deepEqual(write?.verb === 'patch' && write.patch, {
      metadata: {
        resourceVersion: '7',
        labels: { 'kubernetes-fleet.io/member-name': 'sea' },
        finalizers: ['other', 'kubernetes-fleet.io/membercluster-finalizer'],
      },
    });
  });

  test('gets all its objects', () => {
    const plan = decided(aState(bare));
    assert.deepEqual(told(plan), [
      ['create Namespace fleet-member-sea'],
      ['create Role fleet-role-sea'],
      ['create RoleBinding fleet-rolebinding-sea'],
      ['create InternalMemberCluster sea'],
    ]);
    assert.deepEqual(
      plan.events?.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
      [
        'Normal NamespaceCreated: Namespace was created',
        'Normal RoleCreated: role was created',
        'Normal RoleBindingCreated: role binding was created',
        'Normal InternalMemberClusterCreated: Internal member cluster was created',
      ],
    );
  });

  test('with networking agents gets their rights too', () => {
    const plan = decided(aState(bare), true);
    const write = plan.steps.flat().find(({ kind }) => kind.kind === 'Role');
    const rules = write?.verb === 'create' ? (write.object['rules'] as { apiGroups: string[] }[]) : [];
    assert.deepEqual(rules.at(-1)?.apiGroups, ['networking.fleet.azure.com']);
  });

  test('is ready to join when all objects exist, and its join state is unknown', () => {
    const plan = decided(aState());
    assert.deepEqual(told(plan), [['patch MemberCluster/status sea']]);
    assert.deepEqual(
      plan.events?.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
      [
        'Normal MemberClusterReadyToJoin: member cluster ready to join',
        'Warning MemberClusterJoinStateUnknown: member cluster join state unknown',
      ],
    );
  });
});

describe('a member that has its objects', () => {
  test('is written only if its status changes', () => {
    const reported = { agentStatus: [anAgent('True')] };
    const first = decided(aState({ internal: anInternal(reported) }));
    const cluster = aMember({}, statusIn(first));
    const second = decided(aState({ cluster, internal: anInternal(reported) }));
    assert.deepEqual(told(second), []);
    assert.deepEqual(second.events, []);
  });

  test('gets a finalizer that a user has removed with the next report, not before: the user may be about to delete it', () => {
    const internal = anInternal({ agentStatus: [anAgent('True')] });
    const status = statusIn(decided(aState({ internal })));
    const cluster = aMember({ finalizers: [] }, status);
    assert.deepEqual(told(decided(aState({ cluster, internal }))), []);
    const later = anInternal({ agentStatus: [{ ...anAgent('True'), lastReceivedHeartbeat: '2026-01-01T00:01:00Z' }] });
    assert.deepEqual(told(decided(aState({ cluster, internal: later }))), [['patch MemberCluster sea']]);
    assert.deepEqual(told(decided(aState({ cluster, internal: undefined }))), [['patch MemberCluster sea']]);
  });

  test('keeps existing labels of its namespace', () => {
    const [[write] = []] = decided(aState({ namespace: aNamespace({ labels: { a: 'b' } }) })).steps;
    const labels = { 'kubernetes-fleet.io/is-fleet-resource': 'true' };
    assert.deepEqual(write?.verb === 'patch' && write.patch, { metadata: { resourceVersion: '3', labels } });
  });

  test('loses a RoleBinding to another role, and gets a new one with the next reconcile', () => {
    const { roleBinding } = aState();
    assert.ok(roleBinding);
    const elsewhere = { ...roleBinding, roleRef: { ...roleBinding.roleRef, name: 'admin' } };
    assert.deepEqual(told(decided(aState({ roleBinding: elsewhere })))[0], [
      'delete RoleBinding fleet-rolebinding-sea',
    ]);
  });

  test('waits while its namespace terminates', () => {
    const namespace = aNamespace({ deletionTimestamp: '2026-01-01T11:59:00Z' });
    assert.deepEqual(decided(aState({ namespace })).steps, []);
  });
});

describe('a member with an unusable name or identity', () => {
  function sentence(changes: Partial<MemberState['cluster']['spec']['identity']>, name = 'sea'): string | undefined {
    const member = aMember({ name, labels: { 'kubernetes-fleet.io/member-name': name } });
    const identity = { ...member.spec.identity, ...changes };
    const plan = decided(aState({ ...bare, cluster: { ...member, spec: { ...member.spec, identity } } }));
    const [condition] = statusIn(plan)?.conditions ?? [];
    assert.equal(
      `${condition?.type} ${condition?.status} ${condition?.reason}`,
      'ReadyToJoin False MemberClusterNotReadyToJoin',
    );
    assert.deepEqual(told(plan), [[`patch MemberCluster/status ${name}`]]);
    return condition?.message.replace('Member cluster is not ready to join the fleet: ', '');
  }

  test('says what is wrong with the name', () => {
    const long = 'a'.repeat(51);
    assert.equal(
      sentence({}, long),
      `its namespace cannot be called fleet-member-${long}: must be no more than 63 characters`,
    );
  });

  test('says what is wrong with the identity', () => {
    assert.equal(sentence({ kind: 'Robot' }), 'its identity is a Robot, not a User, Group or ServiceAccount');
    assert.equal(sentence({ kind: 'ServiceAccount' }), 'its identity is a ServiceAccount, which needs a namespace');
    assert.equal(sentence({ name: '' }), 'its identity has no name');
    assert.equal(sentence({ apiGroup: 'apps' }), 'its identity is a User of apps, not of rbac.authorization.k8s.io');
  });

  test('loses the RoleBinding of the previous identity', () => {
    const cluster = aMember();
    const nobody = { ...cluster, spec: { ...cluster.spec, identity: { kind: 'User', name: '' } } };
    assert.deepEqual(told(decided(aState({ cluster: nobody }))), [
      ['delete RoleBinding fleet-rolebinding-sea'],
      ['patch MemberCluster/status sea'],
    ]);
  });

  test('keeps its other conditions', () => {
    const cluster = aMember({}, { conditions: [aCondition('Joined', 'True')] });
    const broken = { ...cluster, spec: { ...cluster.spec, identity: { kind: 'Robot', name: 'r' } } };
    assert.deepEqual(
      statusIn(decided(aState({ cluster: broken })), cluster.status)?.conditions?.map(({ type }) => type),
      ['Joined', 'ReadyToJoin'],
    );
  });
});
