import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { internalMemberClusters, memberClusters, networkingApi, networkingDefinitions, works } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { HubSettings } from '@flotilla/controllers';
import {
  ApiError,
  apiVersionOf,
  authenticatedGroup,
  clusterRoleBindings,
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  pods,
  rbacGroup,
  serviceAccounts,
  type JsonObject,
  type Kind,
  type User,
} from '@flotilla/kube';
import { untilReadyToJoin } from '../ready-to-join.ts';
import { startHub, type RunningHub } from '../start-hub.ts';

const replicaSets: Kind = { ...deployments, kind: 'ReplicaSet', plural: 'replicasets' };
const podBudgets: Kind = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

async function outcome(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ApiError ? `${error.code} ${error.message}` : assert.fail(String(error))),
  );
}

/** May do everything that RBAC can allow. */
const anna: User = { name: 'anna', groups: [authenticatedGroup] };

async function startGuarded(settings: HubSettings): Promise<{ hub: RunningHub; admin: Client; user: Client }> {
  const definitions = settings.networkingAgents ? await networkingDefinitions() : [];
  const hub = await startHub({ memory: true, port: 0, settings, definitions });
  const [admin, user] = await Promise.all([hub.client(), hub.client(anna)]);
  await admin.create(clusterRoleBindings, {
    apiVersion: apiVersionOf(clusterRoleBindings),
    kind: 'ClusterRoleBinding',
    metadata: { name: 'anna' },
    subjects: [{ kind: 'User', apiGroup: rbacGroup, name: anna.name }],
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'cluster-admin' },
  });
  return { hub, admin, user };
}

function create(client: Client, kind: Kind, name: string, namespace?: string, more: JsonObject = {}) {
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...more });
}

const podSpec = { containers: [{ name: 'main', image: 'pause' }] };
const selector = { matchLabels: { app: 'a' } };
const replicaSetSpec = { selector, template: { metadata: { labels: { app: 'a' } }, spec: podSpec } };

describe('a hub with a guard rail', () => {
  let hub: RunningHub;
  let admin: Client;
  let user: Client;

  before(async () => {
    const guardRail = { whitelistedUsers: [], deniesLabelChanges: false };
    ({ hub, admin, user } = await startGuarded({ guardRail, allowsPodBudgets: false, networkingAgents: true }));
    await create(admin, memberClusters, 'sea', undefined, {
      spec: { identity: { kind: 'User', apiGroup: rbacGroup, name: 'sea' }, heartbeatPeriodSeconds: 60 },
    });
    await untilReadyToJoin(admin, 'sea');
    await create(admin, works, 'shop', 'fleet-member-sea', { spec: { workload: { manifests: [] } } });
  });
  after(async () => {
    await Promise.all([admin.close(), user.close()]);
    await hub.stop();
  });

  const refused = (webhook: string, operation: string, object: string): string =>
    `403 admission webhook "fleet.${webhook}.guardrail.validating" denied the request: user: 'anna' in 'groups: [system:authenticated]' is not allowed to ${operation} resource ${object}`;

  test('refuses users what belongs to the fleet and to Kubernetes', async () => {
    const definition = 'works.placement.kubernetes-fleet.io';
    const labels = { type: 'merge', value: { metadata: { labels: { a: 'b' } } } } as const;
    const member = 'fleetmembernamespacedresources';
    const attempts: [Promise<unknown>, string][] = [
      [
        user.patch(customResourceDefinitions, { name: definition }, labels),
        refused(
          'customresourcedefinition',
          'UPDATE',
          `apiextensions.k8s.io/v1, Kind=CustomResourceDefinition/: /${definition}`,
        ),
      ],
      [create(user, namespaces, 'kube-x'), refused('namespace', 'CREATE', '/v1, Kind=Namespace/: /kube-x')],
      [
        create(user, configMaps, 'a', 'fleet-member-sea'),
        refused(member, 'CREATE', '/v1, Kind=ConfigMap/: fleet-member-sea/a'),
      ],
      [
        create(user, serviceAccounts, 'a', 'fleet-system'),
        refused('fleetsystemnamespacedresources', 'CREATE', '/v1, Kind=ServiceAccount/: fleet-system/a'),
      ],
      [
        user.delete(configMaps, { namespace: 'kube-system', name: 'extension-apiserver-authentication' }),
        refused(
          'kubenamespacedresources',
          'DELETE',
          '/v1, Kind=ConfigMap/: kube-system/extension-apiserver-authentication',
        ),
      ],
      [
        user.patch(works, { namespace: 'fleet-member-sea', name: 'shop' }, labels),
        refused(member, 'UPDATE', 'placement.kubernetes-fleet.io/v1beta1, Kind=Work/: fleet-member-sea/shop'),
      ],
      [
        user.delete(internalMemberClusters, { namespace: 'fleet-member-sea', name: 'sea' }),
        refused(
          member,
          'DELETE',
          'cluster.kubernetes-fleet.io/v1beta1, Kind=InternalMemberCluster/: fleet-member-sea/sea',
        ),
      ],
    ];
    for (const [attempt, sentence] of attempts) assert.equal(await outcome(attempt), sentence);
  });

  test('leaves everything else to RBAC', async () => {
    await create(user, namespaces, 'shop');
    await create(user, configMaps, 'a', 'shop');
    await create(user, works, 'own', 'shop', { spec: { workload: { manifests: [] } } });
    await create(admin, configMaps, 'a', 'kube-system');
    await admin.delete(configMaps, { namespace: 'kube-system', name: 'a' });
  });

  test('lets the agent of a member report', async () => {
    const agent = await hub.client({ name: 'sea', groups: [authenticatedGroup] });
    const status = { type: 'merge' as const, value: { status: { agentStatus: [] } } };
    const key = { namespace: 'fleet-member-sea', name: 'sea' };
    await agent.patch(internalMemberClusters, key, status, { subresource: 'status' });
    await agent.close();
  });

  test('refuses workloads that would run on the hub, to every user', async () => {
    const webhook = (name: string): string => `403 admission webhook "fleet.${name}.validating" denied the request: `;
    const attempts: [Promise<unknown>, string][] = [
      [
        create(admin, pods, 'a', 'default', { spec: podSpec }),
        `${webhook('pod')}Pod default/a creation is disallowed in the fleet hub cluster`,
      ],
      [
        create(admin, replicaSets, 'a', 'default', { spec: replicaSetSpec }),
        `${webhook('replicaset')}ReplicaSet default/a creation is disallowed in the fleet hub cluster.`,
      ],
      [
        create(admin, podBudgets, 'a', 'default', { spec: { selector } }),
        `${webhook('poddisruptionbudget')}PDBs default/a cannot be directly created in the hub cluster due to potential side effects; to place a PDB to member clusters, consider wrapping it in a resource envelope.`,
      ],
    ];
    for (const [attempt, sentence] of attempts) assert.equal(await outcome(attempt), sentence);
    await create(admin, replicaSets, 'a', 'kube-system', { spec: replicaSetSpec });
  });

  test('lets a member leave only if it exports nothing, or without this check', async () => {
    const plural = 'internalserviceexports';
    const exports: Kind = { ...networkingApi, kind: 'InternalServiceExport', plural, namespaced: true };
    await create(admin, exports, 'web', 'fleet-member-sea');
    assert.equal(
      await outcome(admin.delete(memberClusters, { name: 'sea' })),
      '403 admission webhook "fleet.membercluster.validating" denied the request: Please delete serviceExport fleet-member-sea/web in the member cluster before leaving, request is denied',
    );
    const skip = { type: 'merge', value: { spec: { deleteOptions: { validationMode: 'Skip' } } } } as const;
    await admin.patch(memberClusters, { name: 'sea' }, skip);
    await admin.delete(memberClusters, { name: 'sea' });
  });
});

describe('a hub without a guard rail, with workloads', () => {
  test('refuses none of it', async () => {
    const { hub, admin, user } = await startGuarded({ runsWorkloads: true });
    await create(user, namespaces, 'fleet-x');
    await create(user, configMaps, 'a', 'kube-system');
    await create(user, replicaSets, 'a', 'default', { spec: replicaSetSpec });
    await create(user, podBudgets, 'a', 'default', { spec: { selector } });
    await Promise.all([admin.close(), user.close()]);
    await hub.stop();
  });
});
