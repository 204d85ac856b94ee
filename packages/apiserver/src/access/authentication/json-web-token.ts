/** JSON Web Tokens in their compact form, signed and checked by the platform. */
import { sign, verify } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { SigningKey, VerificationKey } from './token-keys.ts';

export interface ParsedToken {
  readonly header: JsonObject;
  /** Not to be believed before the signature was checked. */
  readonly claims: JsonObject;
  readonly signedText: string;
  readonly signature: Buffer;
}

export function signedToken(claims: JsonObject, { id, algorithm, key }: SigningKey): string {
  const text = `${encoded({ alg: algorithm.name, kid: id })}.${encoded(claims)}`;
  return `${text}.${sign(algorithm.hash, Buffer.from(text), { key, dsaEncoding }).toString('base64url')}`;
}

/** Signatures on curves are two numbers side by side here, not what certificates have. */
const dsaEncoding = 'ieee-p1363';

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Undefined for everything that is no token of this form. */
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

/** Node skips what is no base64; here nothing may be skipped. */
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
 * Whether the key signed the token. The algorithm is the key's own: a header that asks for another, or for none, or for
 * extensions, does not get its way.
 */
export function isSignedBy(token: ParsedToken, { algorithm, key }: VerificationKey): boolean {
  const { header, signedText, signature } = token;
  if (header['alg'] !== algorithm.name || header['crit'] !== undefined) return false;
  try {
    return verify(algorithm.hash, Buffer.from(signedText), { key, dsaEncoding }, signature);
  } catch {
    // What the platform cannot check was not signed by this key.
    return false;
  }
}
