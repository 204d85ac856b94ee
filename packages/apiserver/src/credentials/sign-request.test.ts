import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { CertificateRequest } from '@flotilla/builtins';
import { makeAuthority, type KeyedCertificate } from './certificates.ts';
import { signRequest } from './sign-request.ts';

const now = new Date('2026-01-02T03:04:05Z');
const later = new Date('2026-01-03T03:04:05Z');

describe('a signed certificate', () => {
  let authority: KeyedCertificate;
  let request: CertificateRequest;
  before(async () => {
    authority = await makeAuthority(now);
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [commonName, organization] = ['2.5.4.3', '2.5.4.10'];
    request = {
      subject: [
        { type: commonName, value: 'first' },
        { type: organization, value: 'crew' },
        { type: commonName, value: 'an, O=system:masters' },
        { type: organization, value: 'people' },
      ],
      commonName: 'an, O=system:masters',
      organizations: ['crew', 'people'],
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      dnsNames: ['sea.example.com'],
      ipAddresses: [Buffer.from([192, 0, 2, 1]), Buffer.from('20010db8000000000000000000000001', 'hex')],
      emailAddresses: ['a@example.com'],
      uris: ['spiffe://sea/a'],
    };
  });

  async function signed(notAfter: Date, usages = ['digital signature', 'client auth']): Promise<X509Certificate> {
    return new X509Certificate(await signRequest(authority, { request, usages, notBefore: now, notAfter }));
  }

  test('is the authority’s, for the key of the request and the given time', async () => {
    const certificate = await signed(later);
    const issuer = new X509Certificate(authority.certificate);
    assert(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
    assert.deepEqual(certificate.publicKey.export({ type: 'spki', format: 'der' }), Buffer.from(request.publicKey));
    assert.deepEqual([certificate.validFromDate, certificate.validToDate], [now, later]);
  });

  test('has the groups of the request and its last name, whatever characters these contain', async () => {
    const { subject } = (await signed(later)).toLegacyObject();
    assert.deepEqual({ ...subject }, { O: ['crew', 'people'], CN: 'an, O=system:masters' });
  });

  test('has the alternative names of the request, and is no authority', async () => {
    const certificate = await signed(later);
    assert.equal(
      certificate.subjectAltName,
      'DNS:sea.example.com, email:a@example.com, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1, URI:spiffe://sea/a',
    );
    assert.equal(certificate.ca, false);
  });

  test('has the usages that were asked for', async () => {
    assert.deepEqual((await signed(later)).keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.deepEqual((await signed(later, ['server auth'])).keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  test('needs an authority with an elliptic curve', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const wanted = { request, usages: ['client auth'], notBefore: now, notAfter: later };
    await assert.rejects(signRequest({ ...authority, key }, wanted), /a CA key of type ed25519; use an ECDSA key/);
  });

  test('does not outlive its authority', async () => {
    const end = new X509Certificate(authority.certificate).validToDate;
    assert.deepEqual((await signed(new Date('2099-01-01T00:00:00Z'))).validToDate, end);
    const afterEnd = new Date(end.getTime() + 1000);
    const wanted = { request, usages: ['client auth'], notBefore: afterEnd, notAfter: afterEnd };
    await assert.rejects(signRequest(authority, wanted), /the CA expired/);
  });
});
