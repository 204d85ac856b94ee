import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { certificateRequestProblem, issuedCertificateProblem } from './certificate-request.ts';

const signed = `-----BEGIN CERTIFICATE REQUEST-----
MIGcMFACAQAwHTENMAsGA1UEAwwEamFuZTEMMAoGA1UECgwDZGV2MCowBQYDK2Vw
AyEAVFQlPRzpsftnbpjrSGo+dYmx4NAe+bdSzCUC5jHhZNagADAFBgMrZXADQQBr
6LdJO1UJv+rcpb0yWWghm39rZPR5OC0+bNxJPead0IUNqY0wx9QCirPyuL1XJNr2
vu1qyECbJOCmP39JdksE
-----END CERTIFICATE REQUEST-----
`;

const der = Buffer.from(signed.replace(/-----.*-----/g, ''), 'base64');

function pem(bytes: Uint8Array): string {
  const base64 = Buffer.from(bytes).toString('base64');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`;
}

test('accepts a request that its key signed, whatever surrounds it', () => {
  assert.equal(certificateRequestProblem(signed), undefined);
  assert.equal(certificateRequestProblem(`words before\n${signed}words behind`), undefined);
});

test('refuses a request for another name than the signed one', () => {
  const forged = Buffer.from(der);
  forged.write('dane', forged.indexOf('jane'));
  assert.equal(certificateRequestProblem(pem(forged)), 'x509: Ed25519 verification failure');
});

test('refuses what is not a request', () => {
  assert.equal(certificateRequestProblem(''), 'PEM block type must be CERTIFICATE REQUEST');
  assert.equal(
    certificateRequestProblem(signed.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')),
    'PEM block type must be CERTIFICATE REQUEST',
  );
  assert.equal(certificateRequestProblem(pem(der.subarray(0, 50))), 'asn1: syntax error: data truncated');
});

test('refuses a request with any byte changed, and arbitrary bytes, without throwing', () => {
  const place = fc.nat(der.length - 1);
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(der);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      assert.equal(typeof certificateRequestProblem(pem(damaged)), 'string');
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(typeof certificateRequestProblem(pem(bytes)), 'string');
    }),
  );
});

test('accepts only certificates as issued certificates', () => {
  assert.equal(issuedCertificateProblem(''), undefined);
  assert.equal(issuedCertificateProblem('xx'), 'must contain at least one CERTIFICATE PEM block');
  assert.equal(
    issuedCertificateProblem(signed),
    'only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
  );
});
