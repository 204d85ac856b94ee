/** JSON Web Tokens in compact form, signed and verified by node:crypto. */
import { sign, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { SigningKey, VerificationKey } from './token-keys.ts';

export interface ParsedToken {
  readonly header: JsonObject;
  /** Untrusted until the signature is verified. */
  readonly claims: JsonObject;
  readonly signedText: string;
  readonly signature: Buffer;
}

export function signedToken(claims: JsonObject, { id, algorithm, key }: SigningKey): string {
  const text = `${encoded({ alg: algorithm.name, kid: id })}.${encoded(claims)}`;
  return `${text}.${sign(algorithm.hash, Buffer.from(text), { key, dsaEncoding }).toString('base64url')}`;
}

/** JWS has ECDSA signatures as two numbers side by side, not in the DER form of certificates. */
const dsaEncoding = 'ieee-p1363';

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Returns undefined for text of any other form. */
export function parseToken(token: string): ParsedToken | undefined {
  const parts = token.split('.', 4);
  const [header, claims, signature] = parts.map(decoded);
  if (parts.length !== 3 || !header || !claims || !signature) return undefined;
  const parsedHeader = jsonObject(header);
  const parsedClaims = jsonObject(claims);
  if (!parsedHeader || !parsedClaims) return undefined;
  const signedText = token.slice(0, token.lastIndexOf('.'));
  return { header: parsedHeader, claims: parsedClaims, signedText, signature };
}

const base64Url = /^[\w-]*$/;

/** Refuses characters outside base64url, which Node would skip. */
function decoded(part: string): Buffer | undefined {
  if (!base64Url.test(part) || part.length % 4 === 1) return undefined;
  return Buffer.from(part, 'base64url');
}

function jsonObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the key signed the token. Refuses a header with critical extensions or with another algorithm than the key's, such
 * as `none`.
 */
export function isSignedBy(token: ParsedToken, { algorithm, key }: VerificationKey): boolean {
  const { header, signedText, signature } = token;
  if (header['alg'] !== algorithm.name || header['crit'] !== undefined) return false;
  try {
    return verify(algorithm.hash, Buffer.from(signedText), { key, dsaEncoding }, signature);
  } catch {
    // A signature that node:crypto cannot read is not by this key.
    return false;
  }
}
