/** Signatures of tokens by the keys that an issuer publishes as JSON Web Keys. */
import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { isJsonObject, textOf, type JsonObject } from '@flotilla/kube';
import type { ParsedToken } from '../json-web-token.ts';

interface SigningAlgorithm {
  readonly hash: string;
  /** Of the key. */
  readonly type: 'rsa' | 'ec';
  readonly curve?: string;
  readonly isPss?: boolean;
}

/** Asymmetric algorithms only: no secret is shared with an issuer. */
const algorithms: ReadonlyMap<string, SigningAlgorithm> = new Map([
  ['RS256', { hash: 'sha256', type: 'rsa' }],
  ['RS384', { hash: 'sha384', type: 'rsa' }],
  ['RS512', { hash: 'sha512', type: 'rsa' }],
  ['PS256', { hash: 'sha256', type: 'rsa', isPss: true }],
  ['PS384', { hash: 'sha384', type: 'rsa', isPss: true }],
  ['PS512', { hash: 'sha512', type: 'rsa', isPss: true }],
  ['ES256', { hash: 'sha256', type: 'ec', curve: 'prime256v1' }],
  ['ES384', { hash: 'sha384', type: 'ec', curve: 'secp384r1' }],
  ['ES512', { hash: 'sha512', type: 'ec', curve: 'secp521r1' }],
]);

/** Sorted, as Kubernetes lists them. */
export const signingAlgorithms: readonly string[] = [...algorithms.keys()].toSorted();

export interface IssuerKey {
  readonly id: string;
  readonly key: KeyObject;
}

const maxKeys = 100;
/** Larger keys would let an issuer hold the event loop. */
const maxModulusBits = 8192;

/** The keys of a document. Skips those of other kinds. Throws if it is no key set. */
export function issuerKeys(document: JsonObject): IssuerKey[] {
  const { keys } = document;
  if (!Array.isArray(keys)) throw new Error('the document has no keys');
  if (keys.length > maxKeys) throw new Error(`the document has more than ${maxKeys} keys`);
  return keys.flatMap((entry) => {
    const key = isJsonObject(entry) ? publicKey(entry) : undefined;
    return key ? [{ id: textOf((entry as JsonObject)['kid']), key }] : [];
  });
}

function publicKey(entry: JsonObject): KeyObject | undefined {
  const { kty } = entry;
  if (kty !== 'RSA' && kty !== 'EC') return undefined;
  try {
    const key = createPublicKey({ key: entry, format: 'jwk' });
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    return modulusLength > maxModulusBits ? undefined : key;
  } catch {
    return undefined;
  }
}

/** Whether one of the keys signed the token. A key id in the token selects keys. */
export function isSignedByIssuer(token: ParsedToken, keys: readonly IssuerKey[]): boolean {
  const { header, signedText, signature } = token;
  const algorithm = algorithms.get(textOf(header['alg']));
  if (!algorithm || header['crit'] !== undefined) return false;
  const id = textOf(header['kid']);
  const bytes = Buffer.from(signedText);
  return keys.some(
    (key) => (id === '' || key.id === id) && fits(algorithm, key.key) && isValid(algorithm, key.key, bytes, signature),
  );
}

function fits({ type, curve }: SigningAlgorithm, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === type && (curve === undefined || asymmetricKeyDetails?.namedCurve === curve);
}

function isValid({ hash, isPss }: SigningAlgorithm, key: KeyObject, bytes: Buffer, signature: Buffer): boolean {
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  try {
    return verify(hash, bytes, { key, dsaEncoding: 'ieee-p1363', ...padding }, signature);
  } catch {
    // A signature that node:crypto cannot read is not by this key.
    return false;
  }
}
