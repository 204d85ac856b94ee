import { anonymous, type User } from '@flotilla/kube';
import type { BearerTokens } from './bearer-tokens.ts';
import type { CertificateProof } from './client-certificates.ts';

/**
 * The user of a request. The client certificate of the connection goes before the bearer token. Returns undefined for
 * invalid credentials, and the anonymous user if there are none.
 */
export type Authenticate = (proof: CertificateProof, authorization: string | undefined) => User | undefined;

interface AuthenticateOptions {
  readonly tokens: BearerTokens;
  readonly allowsAnonymous: boolean;
}

export function authenticator({ tokens, allowsAnonymous }: AuthenticateOptions): Authenticate {
  return (proof, authorization) => {
    if (typeof proof === 'object') return proof;
    const token = authorization === undefined ? undefined : bearerToken(authorization);
    if (token !== undefined) {
      const recognition = tokens.recognise(token);
      return 'user' in recognition ? recognition.user : undefined;
    }
    return proof === 'none' && allowsAnonymous ? anonymous : undefined;
  };
}

/** Returns undefined if the header has no bearer token. */
export function bearerToken(authorization: string): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
