import assert from 'node:assert/strict';
import { webcrypto, X509Certificate } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { readCertificateRequest, type CertificateRequest } from '@flotilla/builtins';
import { loadX509, makeAuthority, signingAlgorithm, type KeyedCertificate } from './certificates.ts';
import { signRequest } from './sign-request.ts';

const now = new Date('2026-01-02T03:04:05Z');
const later = new Date('2026-01-03T03:04:05Z');

describe('a signed certificate', () => {
  let authority: KeyedCertificate;
  let request: CertificateRequest;
  before(async () => {
    authority = await makeAuthority(now);
    const x509 = await loadX509();
    const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
    const made = await x509.Pkcs10CertificateRequestGenerator.create({
      name: [{ CN: ['first'] }, { O: ['crew'] }, { CN: ['an, O=system:masters'] }, { O: ['people'] }],
      keys,
      signingAlgorithm,
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: 'dns', value: 'sea.example.com' },
          { type: 'ip', value: '192.0.2.1' },
          { type: 'ip', value: '2001:db8::1' },
          { type: 'email', value: 'a@example.com' },
          { type: 'url', value: 'spiffe://sea/a' },
        ]),
        new x509.BasicConstraintsExtension(true, undefined, true),
      ],
    });
    request = readCertificateRequest(made.toString('pem'));
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

  test('has the alternative names of the request, and none of its other extensions', async () => {
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

  test('does not outlive its authority', async () => {
    const end = new X509Certificate(authority.certificate).validToDate;
    assert.deepEqual((await signed(new Date('2099-01-01T00:00:00Z'))).validToDate, end);
    const afterEnd = new Date(end.getTime() + 1000);
    const wanted = { request, usages: ['client auth'], notBefore: afterEnd, notAfter: afterEnd };
    await assert.rejects(signRequest(authority, wanted), /the CA expired/);
  });
});
