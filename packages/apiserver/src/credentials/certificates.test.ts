import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { issueCertificate, makeAuthority, renewAuthority, type KeyedCertificate } from './certificates.ts';

const now = new Date('2026-01-02T03:04:05Z');
const hosts = ['localhost', '127.0.0.1', '::1', 'kubernetes.default.svc'];

describe('certificates of a server', () => {
  let authority: KeyedCertificate;
  let server: KeyedCertificate;
  let client: KeyedCertificate;
  before(async () => {
    authority = await makeAuthority(now);
    server = await issueCertificate(authority, { hosts }, now);
    client = await issueCertificate(authority, { user: 'Ånn, O=x', group: 'system:masters' }, now);
  });

  test('are issued by its authority, each for a key of its own', () => {
    const issuer = new X509Certificate(authority.certificate);
    assert.ok(issuer.ca && issuer.verify(issuer.publicKey) && issuer.checkPrivateKey(createPrivateKey(authority.key)));
    for (const { certificate, key } of [server, client]) {
      const issued = new X509Certificate(certificate);
      assert.ok(issued.checkIssued(issuer) && issued.verify(issuer.publicKey) && !issued.ca);
      assert.ok(issued.checkPrivateKey(createPrivateKey(key)));
      assert.ok(!issued.checkPrivateKey(createPrivateKey(authority.key)));
    }
  });

  test('name the hosts, or the user and the group', () => {
    const { subjectAltName, subject, keyUsage } = new X509Certificate(server.certificate);
    assert.equal(
      subjectAltName,
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:kubernetes.default.svc',
    );
    assert.deepEqual([subject, keyUsage], ['CN=kube-apiserver', ['1.3.6.1.5.5.7.3.1']]);
    const ofClient = new X509Certificate(client.certificate);
    assert.deepEqual({ ...ofClient.toLegacyObject().subject }, { O: 'system:masters', CN: 'Ånn, O=x' });
    assert.deepEqual(ofClient.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  });

  test('begin five minutes early, and end after a year; an authority after ten', () => {
    const validity = ({ certificate }: KeyedCertificate): string[] => {
      const { validFromDate, validToDate } = new X509Certificate(certificate);
      return [validFromDate.toISOString(), validToDate.toISOString()];
    };
    const begin = '2026-01-02T02:59:05.000Z';
    assert.deepEqual(validity(server), [begin, '2027-01-02T03:04:05.000Z']);
    assert.deepEqual(validity(authority), [begin, '2035-12-31T03:04:05.000Z']);
  });

  test('stay valid when the authority is renewed', async () => {
    const renewed = new X509Certificate(await renewAuthority(authority.key, now));
    const issued = new X509Certificate(server.certificate);
    assert.ok(issued.checkIssued(renewed) && issued.verify(renewed.publicKey));
    assert.notEqual(renewed.serialNumber, new X509Certificate(authority.certificate).serialNumber);
  });
});
