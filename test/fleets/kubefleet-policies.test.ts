/** The ValidatingAdmissionPolicies that KubeFleet's hub agent installs (kubefleet-b 8.7). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const registration = '/apis/admissionregistration.k8s.io/v1';
const noPods = 'creating pods and replicas is disallowed in the fleet hub cluster';
const noAccounts =
  'writing service accounts in reserved namespaces or requesting tokens from such service accounts is disallowed';

const isReserved = '(request.namespace.startsWith("fleet-")) || (request.namespace.startsWith("kube-"))';
const isTrusted = [
  'request.userInfo.username == "system:kube-scheduler"',
  'request.userInfo.username == "system:kube-controller-manager"',
  ...['system:nodes', 'system:masters', 'kubeadm:cluster-admins', 'system:serviceaccounts'].map(
    (group) => `"${group}" in request.userInfo.groups`,
  ),
].map((term) => `(${term})`);

const rule = (group: string, operations: string[], ...resources: string[]): JsonObject => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  operations,
  resources,
});

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await post('/api/v1/namespaces', { metadata: { name: 'fleet-system' } });
  await enforce(
    'deny-pods-and-replicasets-outside-reserved-namespaces',
    [rule('', ['CREATE'], 'pods'), rule('apps', ['CREATE'], 'replicasets')],
    { expression: isReserved, message: noPods },
  );
  await enforce(
    'deny-serviceaccounts-and-tokenrequests-in-reserved-namespaces',
    [rule('', ['CREATE', 'UPDATE', 'DELETE'], 'serviceaccounts'), rule('', ['CREATE'], 'serviceaccounts/token')],
    { expression: [`(!(${isReserved}))`, ...isTrusted].join(' || '), message: noAccounts },
  );
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'anna' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { metadata: { name: 'a' }, subjects, roleRef });
});

async function enforce(name: string, resourceRules: JsonObject[], validation: JsonObject): Promise<void> {
  await post(`${registration}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules },
      validations: [{ ...validation, reason: 'Forbidden' }],
    },
  });
  await post(`${registration}/validatingadmissionpolicybindings`, {
    metadata: { name: `${name}-binding` },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
}

async function post(path: string, body: JsonObject): Promise<void> {
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
}

const anna = { 'impersonate-user': 'anna' };

async function attempt(method: string, path: string, body: JsonObject | undefined, headers = {}): Promise<unknown> {
  const answer = await server.request(method, path, { ...(body && { body }), headers });
  return answer.status === 403 ? answer.body['message'] : answer.status;
}

describe("KubeFleet's admission policies", () => {
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

  test('keep pods out of the hub, except in reserved namespaces', async () => {
    const refused = await attempt('POST', '/api/v1/namespaces/default/pods', pod);
    assert.match(String(refused), new RegExp(`^pods "p" is forbidden: .* denied request: ${noPods}$`));
    assert.equal(await attempt('POST', '/api/v1/namespaces/fleet-system/pods', pod), 201);
  });

  test('let only trusted users write service accounts in reserved namespaces, or request their tokens', async () => {
    const accounts = '/api/v1/namespaces/fleet-system/serviceaccounts';
    const account = { metadata: { name: 'a' } };
    assert.match(String(await attempt('POST', accounts, account, anna)), new RegExp(`${noAccounts}$`));
    assert.equal(await attempt('POST', accounts, account), 201);
    assert.match(
      String(await attempt('POST', `${accounts}/a/token`, { spec: {} }, anna)),
      new RegExp(`${noAccounts}$`),
    );
    assert.equal(await attempt('POST', `${accounts}/a/token`, { spec: {} }), 201);
    assert.match(String(await attempt('DELETE', `${accounts}/a`, undefined, anna)), new RegExp(`${noAccounts}$`));
    assert.equal(await attempt('POST', '/api/v1/namespaces/default/serviceaccounts', account, anna), 201);
  });
});
