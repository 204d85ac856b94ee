import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { managedClusters, managedClusterSetBindings, memberClusters, type ManagedCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  ApiError,
  apiVersionOf,
  clusterRoleBindings,
  clusterRoles,
  rbacGroup,
  type JsonObject,
  type Kind,
  type PolicyRule,
} from '@flotilla/kube';
import { startTestFleet, type TestFleet } from '@flotilla/testkit';

const group = 'cluster.open-cluster-management.io';
const setLabel = `${group}/clusterset`;

/** Anna may write all of OCM's objects, and has no right to a cluster set but to `blue`. */
const rules: PolicyRule[] = [
  { apiGroups: [group], resources: ['managedclusters', 'managedclustersetbindings'], verbs: ['*'] },
  { apiGroups: ['cluster.kubernetes-fleet.io'], resources: ['memberclusters'], verbs: ['*'] },
  {
    apiGroups: [group],
    resources: ['managedclustersets/bind', 'managedclustersets/join'],
    resourceNames: ['blue'],
    verbs: ['create'],
  },
];

describe('admission of OCM objects', () => {
  let fleet: TestFleet;
  let anna: Client;
  before(async () => {
    fleet = await startTestFleet({ members: ['oslo'] });
    anna = await fleet.running.hub.client({ name: 'anna', groups: ['system:authenticated'] });
    const metadata = { name: 'anna' };
    const apiVersion = apiVersionOf(clusterRoles);
    await fleet.hub.create(clusterRoles, { apiVersion, kind: 'ClusterRole', metadata, rules });
    await fleet.hub.create(clusterRoleBindings, {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      subjects: [{ kind: 'User', apiGroup: rbacGroup, name: 'anna' }],
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'anna' },
    });
  });
  after(async () => {
    await anna.close();
    await fleet.stop();
  });

  async function outcome(attempt: Promise<unknown>): Promise<string> {
    return attempt.then(
      () => 'accepted',
      (error: unknown) => (error instanceof ApiError ? `${error.code} ${error.message}` : assert.fail(String(error))),
    );
  }

  function create(kind: Kind, metadata: JsonObject, spec: JsonObject = {}): Promise<string> {
    return outcome(anna.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec }));
  }

  function bind(name: string, clusterSet = name): Promise<string> {
    return create(managedClusterSetBindings, { name, namespace: 'default' }, { clusterSet });
  }

  const denied = (webhook: string) => `admission webhook "${webhook}.admission.${group}" denied the request:`;

  test('binds a namespace only to sets that the user may bind', async () => {
    assert.equal(await bind('blue'), 'accepted');
    assert.equal(
      await bind('red'),
      `403 ${denied('managedclustersetbindingvalidators')} managedclustersets/bind.${group} "red" is forbidden: user "anna" is not allowed to bind cluster set "red"`,
    );
    assert.equal(
      await bind('green', 'blue'),
      `400 ${denied('managedclustersetbindingvalidators')} The ManagedClusterSetBinding must have the same name as the target ManagedClusterSet`,
    );
  });

  test('adds clusters only to sets that the user may join, the default one among them', async () => {
    const labels = (set: string) => ({ labels: { [setLabel]: set } });
    assert.equal(await create(managedClusters, { name: 'a', ...labels('blue') }), 'accepted');
    const refusal = (set: string) =>
      `403 ${denied('managedclustervalidators')} managedclustersets/join.${group} "${set}" is forbidden: user "anna" cannot add/remove a ManagedCluster to/from ManagedClusterSet "${set}"`;
    assert.equal(await create(managedClusters, { name: 'b', ...labels('red') }), refusal('red'));
    assert.equal(await create(managedClusters, { name: 'b' }), refusal('default'));
    const move = { type: 'merge', value: { metadata: labels('red') } } as const;
    assert.equal(await outcome(anna.patch(managedClusters, { name: 'a' }, move)), refusal('red'));
    assert.match(
      await outcome(anna.patch(memberClusters, { name: 'oslo' }, move)),
      /^403 admission webhook "fleet\.membercluster\.clusterset" denied .* ManagedClusterSet "red"$/,
    );
  });

  test('accepts clusters only for users with that right', async () => {
    assert.equal(
      await create(managedClusters, { name: 'c', labels: { [setLabel]: 'blue' } }, { hubAcceptsClient: true }),
      `403 ${denied('managedclustervalidators')} managedclusters/accept.${group} "c" is forbidden: user "anna" cannot update the HubAcceptsClient field`,
    );
  });

  test('sets the times of taints', async () => {
    const taints = [{ key: 'gpu', effect: 'NoSelect' }];
    const spec = { type: 'merge', value: { spec: { taints } } } as const;
    const { spec: stored }: ManagedCluster = await anna.patch(managedClusters, { name: 'a' }, spec);
    assert.match(stored?.taints?.[0]?.timeAdded ?? '', /^\d{4}-/);
    assert.match(
      await outcome(anna.patch(managedClusters, { name: 'a' }, spec)),
      /^400 .* It is not allowed to set TimeAdded of Taint "gpu"\.$/,
    );
  });

  test('refuses writes to the mirror of a member, also by administrators, and names the source', async () => {
    const refusal =
      /^403 admission webhook "fleet\.managedcluster\.mirror" denied the request: ManagedCluster "oslo" mirrors MemberCluster "oslo": /;
    const { hub } = fleet;
    const key = { name: 'oslo' };
    const labels = { type: 'merge', value: { metadata: { labels: { env: 'x' } } } } as const;
    const status = { type: 'merge', value: { status: { version: { kubernetes: 'v0' } } } } as const;
    assert.match(await outcome(hub.patch(managedClusters, key, labels)), refusal);
    assert.match(await outcome(hub.patch(managedClusters, key, status, { subresource: 'status' })), refusal);
    assert.match(await outcome(hub.delete(managedClusters, key)), refusal);
    const annotations = { type: 'merge', value: { metadata: { annotations: { note: 'x' } } } } as const;
    assert.equal(await outcome(hub.patch(managedClusters, key, annotations)), 'accepted');
  });

  test('lets the mirror go with its member', async () => {
    await fleet.hub.delete(memberClusters, { name: 'oslo' });
    await fleet.settle();
    assert.match(await outcome(fleet.hub.get(managedClusters, { name: 'oslo' })), /^404 /);
  });
});
