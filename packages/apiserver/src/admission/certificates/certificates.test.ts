import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** CN anna, O people. */
const people = `-----BEGIN CERTIFICATE REQUEST-----
MIHaMIGCAgEAMCAxDTALBgNVBAMMBGFubmExDzANBgNVBAoMBnBlb3BsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABJRHT7Znn39e3Z3YLk2T27iXV5n0IZG4097V
goWORmn2jV1gAXzmoXPOUgE/eHqMcDgbT4URqYL9tDOwqsjN6dugADAKBggqhkjO
PQQDAgNHADBEAiBFR0GuyGpW4eTjS1ARNnofYldBKCQgUtZxSQjQq2gnygIgb8tY
OalPROhnTVBi3c/Tb5fAW/TrE5d/LcJp7ovzIsQ=
-----END CERTIFICATE REQUEST-----
`;
/** CN anna, O people and system:masters in one set. */
const masters = `-----BEGIN CERTIFICATE REQUEST-----
MIHxMIGZAgEAMDcxDTALBgNVBAMMBGFubmExJjANBgNVBAoMBnBlb3BsZTAVBgNV
BAoMDnN5c3RlbTptYXN0ZXJzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdcp7
F6i0jLbY+ygPzJQpYqXm2ao779pa537NWZGvieqqYrvEDbueWqATjuPrWVlnmnrI
Vh/PSqJiUaxHPhH/KaAAMAoGCCqGSM49BAMCA0cAMEQCIGveJzvap+1Y04WmiIwK
9LeRBfvwYS8/frQG9KfyMWOgAiAh+PRNZsAVeOzMGv/PgTEOchGqpj81w/icaaYg
CtkwQA==
-----END CERTIFICATE REQUEST-----
`;

describe('certificate requests', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });

  async function send(method: string, path: string, body: JsonObject, name = ''): Promise<string> {
    const user = name === '' ? {} : { user: { name, groups: ['system:authenticated'] } };
    const answer = await server.request(method, path, { body, ...user });
    return answer.status < 300 ? 'accepted' : (answer.body['message'] as string);
  }

  function request(name: string, pem: string, signerName: string): JsonObject {
    const spec = { request: Buffer.from(pem).toString('base64'), signerName, usages: ['client auth'] };
    return { metadata: { name }, spec };
  }

  async function allow(user: string, rules: JsonObject[]): Promise<void> {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await send('POST', `${rbac}/clusterroles`, { metadata: { name: user }, rules });
    await send('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
  }

  const apiGroups = ['certificates.k8s.io'];
  const updates = {
    apiGroups,
    resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
    verbs: ['update'],
  };

  function signers(verbs: string[], resourceNames: string[]): JsonObject {
    return { apiGroups, resources: ['signers'], verbs, resourceNames };
  }

  test('an update of an approval or a status needs a right on the signer', async () => {
    await allow('otto', [updates, signers(['approve', 'sign'], ['example.com/*', `${clientSigner}-kubelet`])]);
    await allow('anna', [updates, signers(['approve', 'sign'], [clientSigner])]);
    await send('POST', requests, request('one', people, clientSigner));
    const conditions = [{ type: 'Approved', status: 'True' }];
    const approval = { ...request('one', people, 'example.com/other'), status: { conditions } };
    const noted = [{ type: 'Noted', status: 'True' }];
    const note = { ...request('one', people, clientSigner), status: { conditions: noted } };
    const refusal = (verb: string): string =>
      `certificatesigningrequests.certificates.k8s.io "one" is forbidden: user not permitted to ${verb} requests with signerName "${clientSigner}"`;
    assert.equal(await send('PUT', `${requests}/one/approval`, approval, 'otto'), refusal('approve'));
    assert.equal(await send('PUT', `${requests}/one/status`, note, 'otto'), refusal('sign'));
    assert.equal(await send('PUT', `${requests}/one/status`, request('one', people, clientSigner), 'otto'), 'accepted');
    assert.equal(await send('PUT', `${requests}/one/status`, note, 'anna'), 'accepted');
    assert.equal(await send('PUT', `${requests}/one/approval`, approval, 'anna'), 'accepted');
  });

  test('a right on a domain covers all signers of that domain', async () => {
    await allow('lisa', [updates, signers(['approve'], ['example.com/*'])]);
    for (const domain of ['example.com', 'example.com.other.org']) {
      await send('POST', requests, request(domain, people, `${domain}/x`));
    }
    const conditions = [{ type: 'Denied', status: 'True' }];
    const deny = (domain: string): Promise<string> =>
      send('PUT', `${requests}/${domain}/approval`, { metadata: { name: domain }, status: { conditions } }, 'lisa');
    assert.equal(await deny('example.com'), 'accepted');
    assert.match(await deny('example.com.other.org'), /user not permitted to approve/);
  });

  test('no request for a client certificate may name system:masters', async () => {
    assert.equal(
      await send('POST', requests, request('m', masters, clientSigner)),
      `certificatesigningrequests.certificates.k8s.io "m" is forbidden: use of ${clientSigner} signer with system:masters group is not allowed`,
    );
    assert.equal(await send('POST', requests, request('m', masters, 'example.com/x')), 'accepted');
  });
});
