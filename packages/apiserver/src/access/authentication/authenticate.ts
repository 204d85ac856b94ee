import { anonymous, type User } from '@flotilla/kube';
import type { BearerTokens } from './bearer-tokens.ts';
import type { CertificateProof } from './client-certificates.ts';

/**
 * Who asks: the first proof that holds counts, the certificate of the connection before the token of the request. Undefined
 * for whoever shows something that does not hold; who shows nothing is anonymous.
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

/** Undefined where the header is about something else than a token. */
export function bearerToken(authorization: string): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
