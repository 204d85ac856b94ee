import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { isSignedBy, parseToken, signedToken } from './json-web-token.ts';
import { derivedTokenKey, makeTokenKey, signingKey, verificationKeys } from './token-keys.ts';
import { makeAuthority } from '../../credentials/certificates.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });

const forms: [name: string, privatePem: string, publicPem: string, algorithm: string][] = [
  [
    'PKCS #1',
    rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }),
    rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }),
    'RS256',
  ],
  [
    'PKCS #8',
    rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    rsa.publicKey.export({ type: 'spki', format: 'pem' }),
    'RS256',
  ],
  [
    'SEC 1',
    p384.privateKey.export({ type: 'sec1', format: 'pem' }),
    p384.publicKey.export({ type: 'spki', format: 'pem' }),
    'ES384',
  ],
];

for (const [name, privatePem, publicPem, algorithm] of forms) {
  test(`a key may be in ${name}`, () => {
    const signing = signingKey(privatePem);
    assert.equal(signing.algorithm.name, algorithm);
    const parsed = parseToken(signedToken({ sub: 'x' }, signing));
    assert.ok(parsed);
    for (const pem of [publicPem, privatePem]) {
      const [key] = verificationKeys(pem);
      assert.ok(key);
      assert.equal(key.id, signing.id);
      assert.ok(isSignedBy(parsed, key));
    }
    const [other] = verificationKeys(makeTokenKey());
    assert.ok(other && !isSignedBy(parsed, other));
  });
}

test('a file may have several keys, and certificates in place of keys', async () => {
  const { certificate } = await makeAuthority(new Date());
  const keys = verificationKeys(`${forms[0]?.[2]}\n${certificate}\n${makeTokenKey()}`);
  assert.deepEqual(
    keys.map(({ algorithm }) => algorithm.name),
    ['RS256', 'ES256', 'ES256'],
  );
});

test('data without a key and keys of other algorithms are refused', () => {
  assert.throws(() => verificationKeys('nothing'), /does not contain any valid/);
  const { privateKey } = generateKeyPairSync('ed25519');
  assert.throws(() => signingKey(privateKey.export({ type: 'pkcs8', format: 'pem' })), /must be RSA, or ECDSA/);
});

test('a derived key is the same for the same secret and name, and differs for any other', () => {
  const key = derivedTokenKey('secret', 'oslo');
  assert.equal(derivedTokenKey('secret', 'oslo'), key);
  const others = [derivedTokenKey('secret', 'rome'), derivedTokenKey('Secret', 'oslo')];
  assert.equal(new Set([key, ...others]).size, 3);
  const token = parseToken(signedToken({ sub: 'x' }, signingKey(key)));
  assert.ok(token && verificationKeys(key).every((one) => isSignedBy(token, one)));
  assert.ok(others.flatMap(verificationKeys).every((one) => !isSignedBy(token, one)));
});
