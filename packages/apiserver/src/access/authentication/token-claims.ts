/** Reads the claims of service account tokens. Values of the wrong type count as absent. */
import { isJsonObject, textOf, type JsonObject, type JsonValue } from '@flotilla/kube';

/** An object that must exist with this UID for a token to be valid. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

export interface TokenTimes {
  /** Seconds since 1970; undefined is no limit. */
  readonly notBefore: number | undefined;
  readonly expires: number | undefined;
  readonly issuedAt: number | undefined;
}

export interface BoundClaims {
  readonly times: TokenTimes;
  readonly id: string;
  readonly namespace: string;
  readonly account: BoundObject;
  readonly pod: BoundObject | undefined;
  readonly secret: BoundObject | undefined;
  readonly node: BoundObject | undefined;
}

export function boundClaims(claims: JsonObject): BoundClaims {
  const own = objectOf(claims['kubernetes.io']) ?? {};
  return {
    times: {
      notBefore: secondsOf(claims['nbf']),
      expires: secondsOf(claims['exp']),
      issuedAt: secondsOf(claims['iat']),
    },
    id: textOf(claims['jti']),
    namespace: textOf(own['namespace']),
    account: referenceOf(own['serviceaccount']) ?? { name: '', uid: '' },
    pod: referenceOf(own['pod']),
    secret: referenceOf(own['secret']),
    node: referenceOf(own['node']),
  };
}

export interface LegacyClaims {
  readonly subject: string;
  readonly namespace: string;
  readonly account: BoundObject;
  readonly secretName: string;
}

export function legacyClaims(claims: JsonObject): LegacyClaims {
  const own = (name: string): string => textOf(claims[`kubernetes.io/serviceaccount/${name}`]);
  return {
    subject: textOf(claims['sub']),
    namespace: own('namespace'),
    account: { name: own('service-account.name'), uid: own('service-account.uid') },
    secretName: own('secret.name'),
  };
}

/** A single audience may be a string instead of a list. */
export function audiencesOf({ aud }: JsonObject): string[] {
  if (typeof aud === 'string') return [aud];
  return Array.isArray(aud) ? aud.filter((one): one is string => typeof one === 'string') : [];
}

function referenceOf(value: JsonValue | undefined): BoundObject | undefined {
  const reference = objectOf(value);
  return reference && { name: textOf(reference['name']), uid: textOf(reference['uid']) };
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

function secondsOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? Math.trunc(value) : undefined;
}
