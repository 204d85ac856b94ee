import { isJsonObject, type JsonObject, type JsonValue, type ServiceAccountName } from '@flotilla/kube';

/** The service account of a token, and when the token is valid. Milliseconds since the epoch. */
export interface TokenLife {
  readonly account: ServiceAccountName;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * Reads the claims of a service account token, without verifying it: the hub does that. Undefined for other tokens, and for those that
 * do not expire.
 */
export function tokenLifeOf(token: string): TokenLife | undefined {
  const { sub, iat, exp } = claimsOf(token);
  const [, namespace, name] =
    typeof sub === 'string' ? (/^system:serviceaccount:([^:]+):([^:]+)$/.exec(sub) ?? []) : [];
  if (namespace === undefined || name === undefined) return undefined;
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp <= iat) return undefined;
  return { account: { namespace, name }, issuedAt: iat * 1000, expiresAt: exp * 1000 };
}

function claimsOf(token: string): JsonObject {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as JsonValue;
    return isJsonObject(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** Two thirds of the life, and up to a tenth earlier: the members of a fleet do not renew all at once. */
export function renewalTimeOf({ issuedAt, expiresAt }: TokenLife, chance: number): number {
  return issuedAt + (expiresAt - issuedAt) * (2 / 3 - chance / 10);
}
