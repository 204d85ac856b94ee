/** Expects the warnings of kube-apiserver v1.36. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { keyPairProblem } from './tls-key-pair.ts';
import { pemBlocks } from './pem-blocks.ts';

/** Self-signed, with a throw-away key on the curve P-256. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBbzCCARWgAwIBAgIUCDvfroTxKuv93qi8JpLyqv0sEcswCgYIKoZIzj0EAwIw
DDEKMAgGA1UEAwwBeDAgFw0yNjExMTUxODA3MThaGA8yMTI2MTAyMjE4MDcxOFow
DDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPWWnq9JNt8D
dsE0Q48LsRSaPr3YYO8Pc0Q1uJGMpX9jqSMn8eRQlH/xmX6eMZTYoV8TX4c3yIlV
mqgSG6KB+N+jUzBRMB0GA1UdDgQWBBRBnNRy9Xhx3H5uG6xVvD8Zqk6h+jAfBgNV
HSMEGDAWgBRBnNRy9Xhx3H5uG6xVvD8Zqk6h+jAPBgNVHRMBAf8EBTADAQH/MAoG
CCqGSM49BAMCA0gAMEUCIQCNk/P37wa0lriJ2eBkKE/F/kr3/ZBoFYwRO8+2U9qO
nwIgTx7tZSUuNBHIECCCna6nevKm34F0zs4/HJP3O5GGgoY=
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSz1d+gN4m5Pg6gmi
WRwtgzlmS2DQEoR56xtk6n4HHd2hRANCAAT1lp6vSTbfA3bBNEOPC7EUmj692GDv
D3NENbiRjKV/Y6kjJ/HkUJR/8Zl+njGU2KFfE1+HN8iJVZqoEhuigfjf
-----END PRIVATE KEY-----
`;

function faultOf(tlsCertificate: string, tlsKey: string): string | undefined {
  return keyPairProblem(Buffer.from(tlsCertificate), Buffer.from(tlsKey));
}

describe('a key pair', () => {
  test('is valid in any layout that Go reads', () => {
    const layouts = [
      (pem: string) => pem,
      (pem: string) => pem.replaceAll('\n', '\r\n'),
      (pem: string) => `some text\n${pem}`,
      (pem: string) => pem.replace('-----\n', '-----\nSubject: x\n\n'),
      (pem: string) => `-----BEGIN OTHER-----\n${pem}`,
      (pem: string) => pem.replaceAll(/\n(?=[A-Za-z])/g, '\n \t'),
      (pem: string) => pem.trimEnd(),
    ];
    for (const layout of layouts) assert.equal(faultOf(layout(certificate), layout(key)), undefined, layout('\n'));
  });

  test('is invalid if the text is not a complete block', () => {
    const broken = [
      certificate.replace(/\n.*\n/, '\n***\n'),
      ` ${certificate}`,
      certificate.replaceAll('\n', ' '),
      certificate.slice(0, -10),
      '-----BEGIN CERTIFICATE-----',
    ];
    const fault = 'tls: failed to find any PEM data in certificate input';
    for (const text of broken) assert.equal(faultOf(text, key), fault, text);
    assert.equal(faultOf(certificate, 'x'), 'tls: failed to find any PEM data in key input');
  });

  test('needs a key type that Go supports', () => {
    const pem = (curve: string): string =>
      generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type: 'sec1', format: 'pem' });
    assert.equal(faultOf(certificate, pem('secp256k1')), 'tls: failed to parse private key');
    assert.equal(faultOf(certificate, pem('P-384')), 'tls: private key does not match public key');
    const named = key.replaceAll('PRIVATE KEY', 'RSA PRIVATE KEY');
    assert.equal(faultOf(certificate, named), undefined);
  });

  test('reports a swapped certificate and key', () => {
    assert.match(faultOf(key, certificate) ?? '', /PEM inputs may have been switched$/);
    assert.equal(
      faultOf(certificate, certificate),
      'tls: found a certificate rather than a key in the PEM for the private key',
    );
  });
});

test('an empty block is a block without bytes', () => {
  const [block] = pemBlocks('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n');
  assert.deepEqual(block, { type: 'CERTIFICATE', bytes: Buffer.alloc(0) });
});
