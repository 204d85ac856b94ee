import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A public key that tokens are checked with, as the header of a token names it. */
export interface VerificationKey {
  readonly id: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
}

/** The key that new tokens are signed with. */
export type SigningKey = VerificationKey;

/** How JSON Web Tokens name what a key does. */
export interface Algorithm {
  readonly name: 'RS256' | 'ES256' | 'ES384' | 'ES512';
  readonly hash: 'sha256' | 'sha384' | 'sha512';
}

const byCurve: ReadonlyMap<string, Algorithm> = new Map([
  ['prime256v1', { name: 'ES256', hash: 'sha256' }],
  ['secp384r1', { name: 'ES384', hash: 'sha384' }],
  ['secp521r1', { name: 'ES512', hash: 'sha512' }],
]);

/** A fresh key for tokens, as PEM. */
export function makeTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

/** Reads a private key: PKCS #8, PKCS #1 or SEC 1. */
export function signingKey(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  return { ...described(createPublicKey(key)), key };
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/** Every key of a file: public ones, certificates, and private ones for the sake of their public half. */
export function verificationKeys(pem: string): VerificationKey[] {
  const blocks = [...pem.matchAll(pemBlock)].filter(([, kind]) => kind !== 'EC PARAMETERS');
  if (blocks.length === 0) throw new Error('data does not contain any valid RSA or ECDSA public keys');
  return blocks.map(([block]) => described(createPublicKey(block)));
}

function described(key: KeyObject): VerificationKey {
  return { id: keyId(key), algorithm: algorithmOf(key), key };
}

function algorithmOf(key: KeyObject): Algorithm {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RS256', hash: 'sha256' };
  const algorithm = byCurve.get(key.asymmetricKeyDetails?.namedCurve ?? '');
  if (!algorithm) throw new Error('a key for tokens must be RSA, or ECDSA on P-256, P-384 or P-521');
  return algorithm;
}

/** From the public key, so that all servers with the key call it the same. */
function keyId(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('base64url');
}
