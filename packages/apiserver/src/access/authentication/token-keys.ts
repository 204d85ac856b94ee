import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

/** A public key that verifies tokens. `id` is the `kid` in the header of a token. */
export interface VerificationKey {
  readonly id: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
}

/** The key that new tokens are signed with. */
export type SigningKey = VerificationKey;

/** Named as in JSON Web Tokens. */
export interface Algorithm {
  readonly name: 'RS256' | 'ES256' | 'ES384' | 'ES512';
  readonly hash: 'sha256' | 'sha384' | 'sha512';
}

const byCurve: ReadonlyMap<string, Algorithm> = new Map([
  ['prime256v1', { name: 'ES256', hash: 'sha256' }],
  ['secp384r1', { name: 'ES384', hash: 'sha384' }],
  ['secp521r1', { name: 'ES512', hash: 'sha512' }],
]);

/** Returns a new key as PEM. */
export function makeTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

/** The order of P-256; private keys are smaller. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Derives the token key of one of many servers from a shared secret, as PEM, so that no key must be stored. One derived key
 * reveals nothing about another.
 */
export function derivedTokenKey(secret: string, name: string): string {
  // 384 bits instead of 256, so that the modulo has no measurable bias.
  const bits = Buffer.from(hkdfSync('sha256', secret, '', `service account key of ${name}`, 48)).toString('hex');
  const scalar = (BigInt(`0x${bits}`) % (order - 1n)) + 1n;
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(scalar.toString(16).padStart(64, '0'), 'hex');
  const point = pair.getPublicKey();
  const key = {
    kty: 'EC',
    crv: 'P-256',
    d: Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' });
}

/** Accepts PKCS #8, PKCS #1 and SEC 1. */
export function signingKey(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  return { ...described(createPublicKey(key)), key };
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/** Every public key of a file, also those of its certificates and private keys. */
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

/** Derived from the public key, so that all servers with the key have the same id. */
function keyId(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('base64url');
}
