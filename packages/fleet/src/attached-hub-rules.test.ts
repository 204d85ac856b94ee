import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fleetNamespace, memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { defaultPolicySettings, namespaceRoles } from '@flotilla/controllers';
import {
  administrator,
  apiVersionOf,
  clusterRoleBindings,
  clusterRoles,
  customResourceDefinitions,
  isForbidden,
  leases,
  namespaces,
  rbacGroup,
  roleBindings,
  roles,
  secrets,
  serviceAccountUser,
  silentLogger,
  type Kind,
} from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { checkSettingsOf } from './admission/fleet-checks.ts';
import { attachedHubRules } from './attached-hub-rules.ts';
import { attachHub, type AttachedHub } from './attach-hub.ts';
import { registerMembers } from './members.testing.ts';
import { installPolicies, uninstallPolicies } from './policies/install-policies.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { mutatingConfigurations, validatingConfigurations } from './webhooks/configuration-kinds.ts';
import { uninstallWebhooks } from './webhooks/install-webhooks.ts';
import { startWebhooks } from './webhooks/start-webhooks.ts';

const account = { namespace: fleetNamespace, name: 'hub-agent-sa' };

describe('the rights of a hub on another Kubernetes', () => {
  let server: RunningServer;
  let owner: Client;
  let client: Client;
  let hub: AttachedHub;

  before(async () => {
    server = await startServer({ memory: true });
    [owner, client] = await Promise.all([server.clientAs(administrator), server.clientAs(serviceAccountUser(account))]);
    await grantRules(owner);
    hub = attachHub({
      client,
      election: { identity: 'one', leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 20 },
    });
    await hub.started;
  });
  after(async () => {
    await hub.stop();
    await Promise.all([owner.close(), client.close()]);
    await server.stop();
  });

  test('let it install its kinds, lead, and let a member join', async () => {
    await registerMembers(owner, 'sea');
    const { status } = await owner.get(memberClusters, { name: 'sea' });
    const ready = status?.conditions?.find(({ type }) => type === 'ReadyToJoin');
    assert.equal(ready?.status, 'True');
  });

  test('let it install webhooks and remove them', async () => {
    const listener = { setCertificate: () => undefined, close: () => Promise.resolve() };
    const webhooks = await startWebhooks({
      client,
      clock: systemClock,
      logger: silentLogger,
      checks: checkSettingsOf({}),
      address: { service: { namespace: fleetNamespace, name: 'fleetwebhook', port: 9443 } },
      listen: () => Promise.resolve(listener),
    });
    await webhooks.stop();
    assert.equal((await uninstallWebhooks(client)).length, 3);
  });

  test('let it install policies, change them and remove them', async () => {
    await installPolicies(client, defaultPolicySettings);
    await installPolicies(client, { pods: { reservedNamespacePrefixes: ['a-'] } });
    assert.equal((await uninstallPolicies(client)).length, 2);
  });

  const others: readonly [Kind, { readonly name: string; readonly namespace?: string }][] = [
    [customResourceDefinitions, { name: 'lights.harbor.example.com' }],
    [mutatingConfigurations, { name: 'harbor' }],
    [validatingConfigurations, { name: 'harbor' }],
    [secrets, { namespace: fleetNamespace, name: 'harbor' }],
    [leases, { namespace: fleetNamespace, name: 'harbor' }],
    [clusterRoles, { name: 'cluster-admin' }],
  ];
  for (const [kind, key] of others) {
    test(`do not let it change a ${kind.kind} of others`, async () => {
      const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: key };
      await assert.rejects(client.update(kind, object), isForbidden);
      await assert.rejects(client.delete(kind, key), isForbidden);
    });
  }
});

/** Grants what the chart grants. */
async function grantRules(owner: Client): Promise<void> {
  const rules = await attachedHubRules();
  const { name, namespace } = account;
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  const create = (kind: Kind, object: object): Promise<unknown> =>
    owner.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name }, ...object });
  await create(namespaces, { metadata: { name: namespace } });
  for (const role of namespaceRoles) await owner.create(clusterRoles, role);
  await create(clusterRoles, { rules: rules.cluster });
  await create(clusterRoleBindings, { subjects, roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name } });
  await create(roles, { metadata: account, rules: rules.namespace });
  await create(roleBindings, {
    metadata: account,
    subjects,
    roleRef: { apiGroup: rbacGroup, kind: 'Role', name },
  });
}
