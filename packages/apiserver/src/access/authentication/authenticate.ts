import { anonymous, type User } from '@flotilla/kube';
import type { BearerTokens, Recognition } from './bearer-tokens.ts';
import type { CertificateProof } from './client-certificates.ts';

/**
 * The user of a request. The client certificate of the connection goes before the bearer token. Returns undefined for
 * invalid credentials, and the anonymous user if there are none. `target` is the path with its query.
 */
export type Authenticate = (
  proof: CertificateProof,
  authorization: string | undefined,
  target?: string,
) => User | undefined | Promise<User | undefined>;

interface AuthenticateOptions {
  readonly tokens: BearerTokens;
  readonly allowsAnonymous: boolean;
  /** The only paths that requests without credentials may have; absent: all. */
  readonly anonymousPaths?: ReadonlySet<string> | undefined;
}

export function authenticator({ tokens, allowsAnonymous, anonymousPaths }: AuthenticateOptions): Authenticate {
  return (proof, authorization, target = '') => {
    if (typeof proof === 'object') return proof;
    const token = authorization === undefined ? undefined : bearerToken(authorization);
    if (token !== undefined) {
      const recognition = tokens.recognise(token);
      return recognition instanceof Promise ? recognition.then(userIn) : userIn(recognition);
    }
    const mayBeAnonymous = proof === 'none' && allowsAnonymous;
    return mayBeAnonymous && (anonymousPaths?.has(pathOf(target)) ?? true) ? anonymous : undefined;
  };
}

function userIn(recognition: Recognition): User | undefined {
  return 'user' in recognition ? recognition.user : undefined;
}

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/** Returns undefined if the header has no bearer token. */
export function bearerToken(authorization: string): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
