import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CertificateRequest } from '@flotilla/builtins';
import type { JsonObject } from '@flotilla/kube';
import { expiryOf, validityOf, type CertificateSigningRequest } from './decide.ts';
import { signerRules } from './kubelet-rules.ts';

const node: CertificateRequest = {
  subject: [],
  commonName: 'system:node:n1',
  organizations: ['system:nodes'],
  publicKey: new Uint8Array(),
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
};
const served = { ...node, dnsNames: ['n1'] };
const clientUsages = ['digital signature', 'client auth'];
const servingUsages = ['digital signature', 'server auth'];

describe('a signer refuses', () => {
  const cases: [string, string, CertificateRequest, string[], string | undefined][] = [
    ['no user', 'kube-apiserver-client', { ...node, commonName: '' }, clientUsages, undefined],
    [
      'a purpose beside client',
      'kube-apiserver-client',
      node,
      [...clientUsages, 'server auth'],
      'invalid usage for client certificate: server auth',
    ],
    [
      'no purpose',
      'kube-apiserver-client',
      node,
      ['digital signature'],
      'missing required usage for client certificate: client auth',
    ],
    ['no kubelet', 'kube-apiserver-client-kubelet', node, clientUsages, undefined],
    ['no RSA kubelet', 'kube-apiserver-client-kubelet', node, [...clientUsages, 'key encipherment'], undefined],
    [
      'a second group',
      'kube-apiserver-client-kubelet',
      { ...node, organizations: ['system:nodes', 'x'] },
      clientUsages,
      'subject organization is not system:nodes',
    ],
    [
      'another user',
      'kube-apiserver-client-kubelet',
      { ...node, commonName: 'anna' },
      clientUsages,
      'subject common name does not begin with system:node:',
    ],
    ['a DNS name', 'kube-apiserver-client-kubelet', served, clientUsages, 'DNS subjectAltNames are not allowed'],
    [
      'an email address',
      'kube-apiserver-client-kubelet',
      { ...node, emailAddresses: ['a@b'] },
      clientUsages,
      'Email subjectAltNames are not allowed',
    ],
    [
      'an address',
      'kube-apiserver-client-kubelet',
      { ...node, ipAddresses: [new Uint8Array(4)] },
      clientUsages,
      'IP subjectAltNames are not allowed',
    ],
    [
      'a URI',
      'kube-apiserver-client-kubelet',
      { ...node, uris: ['a:b'] },
      clientUsages,
      'URI subjectAltNames are not allowed',
    ],
    [
      'a serving kubelet',
      'kube-apiserver-client-kubelet',
      node,
      servingUsages,
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['no serving kubelet', 'kubelet-serving', served, servingUsages, undefined],
    ['a nameless server', 'kubelet-serving', node, servingUsages, 'DNS or IP subjectAltName is required'],
    [
      'a client',
      'kubelet-serving',
      served,
      clientUsages,
      'usages did not match [digital signature key encipherment server auth]',
    ],
  ];
  for (const [what, signer, request, usages, problem] of cases) {
    test(`${what}: ${signer}`, () => {
      assert.equal(signerRules.get(`kubernetes.io/${signer}`)?.(request, usages), problem);
    });
  }
});

const created = '2026-01-01T00:00:00Z';
const now = Date.parse(created);
const [minuteMs, hourMs] = [60_000, 3_600_000];

function request(status: JsonObject, expirationSeconds?: number): CertificateSigningRequest {
  const spec = expirationSeconds === undefined ? {} : { expirationSeconds };
  return { apiVersion: 'certificates.k8s.io/v1', kind: 'x', metadata: { creationTimestamp: created }, spec, status };
}

test('a certificate is valid for the requested time, at least ten minutes and at most a year', () => {
  const minutes = (seconds?: number): number =>
    (validityOf(request({}, seconds), now).notAfter.getTime() - now) / minuteMs;
  assert.equal(minutes(3600), 60);
  assert.equal(minutes(60), 10);
  assert.equal(minutes(8 * 3600), 8 * 60 - 5);
  assert.equal(minutes(), 365 * 24 * 60 - 5);
  assert.equal(minutes(2 ** 31 - 1), 365 * 24 * 60 - 5);
  assert.equal(validityOf(request({}), now).notBefore.getTime(), now - 5 * minuteMs);
});

describe('a request is deleted', () => {
  const condition = (type: string) => ({ conditions: [{ type, status: 'True', lastUpdateTime: created }] });
  const hoursOf = (status: JsonObject, end = Number.NaN): number | undefined => {
    const at = expiryOf(request(status), () => end);
    return at === undefined ? undefined : (at - now) / hourMs;
  };
  const cases: [string, JsonObject, number, number | undefined][] = [
    ['a day after its creation if it is undecided', {}, Number.NaN, 24],
    ['an hour after it was denied', condition('Denied'), Number.NaN, 1],
    ['an hour after it failed', condition('Failed'), Number.NaN, 1],
    ['a day after its approval if no certificate was issued', condition('Approved'), Number.NaN, 24],
    ['an hour after its approval if one was', { ...condition('Approved'), certificate: 'eA==' }, now + 9 * hourMs, 1],
    ['when the certificate ends', { ...condition('Approved'), certificate: 'eA==' }, now + hourMs / 2, 0.5],
    ['never with a condition of another type', condition('Noted'), Number.NaN, undefined],
  ];
  for (const [when, status, end, hours] of cases) {
    test(when, () => assert.equal(hoursOf(status, end), hours));
  }
});
