import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createClient, inProcessTransport } from '@flotilla/client';
import { defaultPolicySettings, validatingPolicies, validatingPolicyBindings } from '@flotilla/controllers';
import {
  ApiError,
  apiVersionOf,
  authenticatedGroup,
  clusterRoleBindings,
  pods,
  rbacGroup,
  serviceAccounts,
  type KubeObject,
} from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { installPolicies, uninstallPolicies } from './install-policies.ts';

describe('the policies of a hub', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
    await server.client.create(clusterRoleBindings, {
      apiVersion: apiVersionOf(clusterRoleBindings),
      kind: 'ClusterRoleBinding',
      metadata: { name: 'users' },
      subjects: [{ kind: 'User', apiGroup: rbacGroup, name: 'anna' }],
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    });
    await installPolicies(server.client, defaultPolicySettings);
  });
  after(() => server.stop());

  async function installed(): Promise<KubeObject[]> {
    const lists = await Promise.all(
      [validatingPolicies, validatingPolicyBindings].map((kind) => server.client.list(kind)),
    );
    return lists.flatMap(({ items }) => items);
  }

  async function outcome(attempt: Promise<unknown>): Promise<string> {
    return attempt.then(
      () => 'accepted',
      (error: unknown) => (error instanceof ApiError ? `${error.code} ${error.message}` : assert.fail(String(error))),
    );
  }

  test('refuse users what is reserved, and let administrators pass', async () => {
    const anna = { name: 'anna', groups: [authenticatedGroup] };
    const { clock, turns, api } = server;
    const user = createClient(inProcessTransport(api.handle, anna, api.view), { clock, turns });
    const account = (namespace: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot', namespace },
    });
    const disallowed =
      'writing service accounts in reserved namespaces or requesting tokens from such service accounts is disallowed';
    assert.match(
      await outcome(user.create(serviceAccounts, account('kube-system'))),
      new RegExp(`^403 .*${disallowed}$`),
    );
    await user.create(serviceAccounts, account('default'));
    await server.client.create(serviceAccounts, account('kube-system'));
    const spec = { containers: [{ name: 'a', image: 'a' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default' }, spec };
    assert.match(
      await outcome(server.client.create(pods, pod)),
      /^403 .*creating pods and replicas is disallowed in the fleet hub cluster$/,
    );
    await user.close();
  });

  test('are not written again by a start that changes nothing', async () => {
    const found = await installed();
    assert.equal(found.length, 4);
    await installPolicies(server.client, defaultPolicySettings);
    assert.deepEqual(await installed(), found);
  });

  test('go when the settings no longer contain them, and no others do', async () => {
    const foreign = { ...(await installed())[0]!, metadata: { name: 'foreign' } };
    await server.client.create(validatingPolicies, foreign);
    await installPolicies(server.client, { pods: { reservedNamespacePrefixes: ['fleet-'] } });
    const name = 'deny-pods-and-replicasets-outside-reserved-namespaces';
    assert.deepEqual(
      (await installed()).map(({ metadata }) => metadata.name),
      [name, 'foreign', `${name}-binding`],
    );
    assert.deepEqual(await uninstallPolicies(server.client), [
      `ValidatingAdmissionPolicyBinding ${name}-binding`,
      `ValidatingAdmissionPolicy ${name}`,
    ]);
  });
});
