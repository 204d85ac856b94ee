import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clusterRoleBindings, clusterRoles, controllerManager, rbacGroup, type Kind, type User } from '@flotilla/kube';
import { ManualClock, settle, startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from '../kinds.ts';
import { startHousekeeping, type Housekeeping } from '../start-housekeeping.ts';
import type { WantedCertificate } from './certificate-requests.ts';
import type { CertificateSigningRequest } from './decide.ts';

/** CN system:node:n1, O system:nodes. */
const pem = `-----BEGIN CERTIFICATE REQUEST-----
MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lz
dGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQMenfWWRcy/x4D
KsVL0W319IwKTM9Nlm879epyBOboha0i4zunBzr+dzbBKb0GQfUJ1AhDL3gycn3k
msajds/noAAwCgYIKoZIzj0EAwIDSAAwRQIgZXcAc2Z3t7Smncfar4kA2681WFgs
voi2pUcaCFlZWYsCIQCKU8qHpu3v971LbluN+JdRJrVGD2HAm4vDtFfub+YFXQ==
-----END CERTIFICATE REQUEST-----
`;

/** Any certificate: this server does not check by what it is signed. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUCISct94rH1JX6+lwIEc7VQDf2MgwCgYIKoZIzj0EAwIw
IDENMAsGA1UEAwwEYW5uYTEPMA0GA1UECgwGcGVvcGxlMB4XDTI2MTExNjA1NTIx
OFoXDTM2MTExMzA1NTIxOFowIDENMAsGA1UEAwwEYW5uYTEPMA0GA1UECgwGcGVv
cGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElEdPtmeff17dndguTZPbuJdX
mfQhkbjT3tWChY5GafaNXWABfOahc85SAT94eoxwOBtPhRGpgv20M7CqyM3p26NT
MFEwHQYDVR0OBBYEFMBfJsyVxFmqyn5qQY4gGtED7VTKMB8GA1UdIwQYMBaAFMBf
JsyVxFmqyn5qQY4gGtED7VTKMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
SAAwRQIgXJeobq/fmjKFJt9yvwqQYX4BiAGLhCwdgJ+V3hKkywICIQCWJUlMS1ya
8/K8luA6k49N1IFuQom1ecg/X7VgYaT4IQ==
-----END CERTIFICATE-----
`;

const requests = kinds.certificateRequest as Kind<CertificateSigningRequest>;
const hourMs = 3_600_000;

describe('a certificate request', () => {
  let server: TestServer;
  let housekeeping: Housekeeping;
  const wanted: WantedCertificate[] = [];
  let hasKey = true;

  before(async () => {
    // Before the certificate ends.
    const clock = new ManualClock(Date.parse('2026-11-20T00:00:00Z'));
    server = await startTestServer({ clock });
    const client = server.connect({ user: controllerManager });
    const sign = (one: WantedCertificate): Promise<string | undefined> => {
      wanted.push(one);
      return Promise.resolve(hasKey ? certificate : undefined);
    };
    const options = { client, clock, random: () => 0.5, rootCertificate: 'PEM', signCertificate: sign };
    housekeeping = await clock.advanceUntil(startHousekeeping(options));
  });
  after(async () => {
    await housekeeping.stop();
    await server.stop();
  });

  async function create(name: string, suffix: string, groups: string[]): Promise<void> {
    const user: User = { name: 'system:bootstrap:x', groups: [...groups, 'system:authenticated'] };
    const spec = {
      request: Buffer.from(pem).toString('base64'),
      signerName: `kubernetes.io/kube-apiserver-client${suffix}`,
      usages: ['digital signature', 'client auth'],
      expirationSeconds: 3600,
    };
    const body = { metadata: { name }, spec };
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const answer = await server.request('POST', path, { body, user });
    assert.equal(answer.status, 201, answer.text);
    await settle(server.clock, housekeeping.isAtRest);
  }

  async function stateOf(name: string): Promise<string[] | 'gone'> {
    const found = await server.find(requests, { name });
    if (!found) return 'gone';
    const conditions = found.status?.conditions ?? [];
    return [...conditions.map(({ type = '' }) => type), ...(found.status?.certificate ? ['Issued'] : [])];
  }

  async function approve(name: string): Promise<void> {
    const value = { status: { conditions: [{ type: 'Approved', status: 'True' }] } };
    await server.client.patch(requests, { name }, { type: 'merge', value }, { subresource: 'approval' });
    await settle(server.clock, housekeeping.isAtRest);
  }

  before(async () => {
    const rule = { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] };
    const bind = (name: string, role: string, group: string): Promise<unknown> =>
      server.create(clusterRoleBindings, {
        metadata: { name },
        roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: rbacGroup, kind: 'Group', name: group }],
      });
    await server.create(clusterRoles, { metadata: { name: 'requester' }, rules: [rule] });
    await bind('requesters', 'requester', 'system:authenticated');
    await bind('bootstrappers', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient', 'bootstrappers');
  });

  test('of a kubelet is approved and signed if its sender may have that', async () => {
    await create('n1', '-kubelet', ['bootstrappers']);
    assert.deepEqual(await stateOf('n1'), ['Approved', 'Issued']);
    assert.equal(wanted.at(-1)?.request.commonName, 'system:node:n1');
    const { notBefore, notAfter } = wanted.at(-1) ?? assert.fail('not signed');
    assert.equal(notAfter.getTime() - notBefore.getTime(), 65 * 60_000);
  });

  test('of a kubelet waits for that right', async () => {
    await create('n2', '-kubelet', ['others']);
    assert.deepEqual(await stateOf('n2'), []);
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/bootstrappers';
    const subjects = [{ apiGroup: rbacGroup, kind: 'Group', name: 'others' }];
    const headers = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await server.request('PATCH', path, { body: { subjects }, headers })).status, 200);
    await server.clock.advance(5000);
    assert.deepEqual(await stateOf('n2'), ['Approved', 'Issued']);
  });

  test('of a client waits for a human, and is signed after the approval', async () => {
    await create('c1', '', ['bootstrappers']);
    assert.deepEqual(await stateOf('c1'), []);
    await approve('c1');
    assert.deepEqual(await stateOf('c1'), ['Approved', 'Issued']);
  });

  test('waits for the key of the authority', async () => {
    hasKey = false;
    await create('c2', '', []);
    await approve('c2');
    assert.deepEqual(await stateOf('c2'), ['Approved']);
    hasKey = true;
    await server.clock.advance(5000);
    assert.deepEqual(await stateOf('c2'), ['Approved', 'Issued']);
  });

  test('is deleted an hour after it was signed, and a day after it came if nothing happened', async () => {
    await create('old', '', []);
    await server.clock.advance(2 * hourMs);
    assert.deepEqual([await stateOf('c1'), await stateOf('old')], ['gone', []]);
    await server.clock.advance(24 * hourMs);
    assert.equal(await stateOf('old'), 'gone');
  });
});
