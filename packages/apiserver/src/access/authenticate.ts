import { createHash, timingSafeEqual } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { User } from '@flotilla/kube';

/**
 * Who asks. A connection may prove it with a client certificate, which settles it; else a request may bring a bearer token,
 * and one that nobody gave out is refused even where anybody would be let in.
 */
export interface Authenticate {
  (fromCertificate: User | undefined, authorization: string | undefined): User | undefined;
  readonly byCertificate: (socket: TLSSocket) => User | undefined;
}

interface AuthenticateOptions {
  readonly tokens: readonly { readonly token: string; readonly user: User }[];
}

export function authenticator({ tokens }: AuthenticateOptions): Authenticate {
  const known = tokens.map(({ token, user }) => ({ digest: digestOf(token), user: withAuthenticated(user) }));
  const byToken = (token: string): User | undefined => {
    const digest = digestOf(token);
    return known.find((candidate) => timingSafeEqual(candidate.digest, digest))?.user;
  };
  const authenticate = (fromCertificate: User | undefined, authorization: string | undefined): User | undefined => {
    if (fromCertificate !== undefined) return fromCertificate;
    if (authorization === undefined) return undefined;
    const [scheme = '', token = ''] = authorization.trim().split(' ', 2);
    return scheme.toLowerCase() === 'bearer' && token !== '' ? byToken(token) : undefined;
  };
  return Object.assign(authenticate, { byCertificate });
}

/** CN is the name, O are the groups. Node has checked the certificate against the client authority. */
function byCertificate(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  const certificate = socket.getPeerX509Certificate();
  const subject = certificate?.toLegacyObject().subject;
  const name = subject?.CN;
  if (typeof name !== 'string' || name === '') return undefined;
  const organizations = subject?.O ?? [];
  const groups = typeof organizations === 'string' ? [organizations] : organizations;
  return withAuthenticated({ name, groups });
}

function withAuthenticated(user: User): User {
  return { ...user, groups: [...user.groups, 'system:authenticated'] };
}

/** Digests have one length, which a comparison in constant time needs. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
