import { randomBytes } from 'node:crypto';
import { makeTokenKey } from './authentication/token-keys.ts';
import {
  isDueForRenewal,
  isGoodForHosts,
  isPair,
  issueCertificate,
  makeAuthority,
  type KeyedCertificate,
  type ServerIdentity,
} from './certificates.ts';

/** Everything that a server signs with or is known by. */
export interface KeptCredentials {
  readonly server: ServerIdentity;
  /** The administrator's certificate. */
  readonly admin: KeyedCertificate;
  /** The administrator's bearer token, for clients that cannot do certificates. */
  readonly token: string;
  /** Signs certificates; PEM, as the next. */
  readonly authorityKey: string;
  /** Signs the tokens of service accounts. */
  readonly tokenKey: string;
}

const administrator = { user: 'kubernetes-admin', group: 'system:masters' };

export async function freshCredentials(hosts: readonly string[], now: Date): Promise<KeptCredentials> {
  const authority = await makeAuthority(now);
  const [server, admin] = await Promise.all([
    issueCertificate(authority, { hosts }, now),
    issueCertificate(authority, administrator, now),
  ]);
  return {
    server: { ...server, authority: authority.certificate, clientAuthority: authority.certificate },
    admin,
    token: randomBytes(32).toString('base64url'),
    authorityKey: authority.key,
    tokenKey: makeTokenKey(),
  };
}

/**
 * The same credentials with new certificates where the old ones are about to end or do not name the hosts; the very same when
 * nothing is due. What the old ones opened stays open: the authority does not change.
 */
export async function renewedCredentials(
  credentials: KeptCredentials,
  hosts: readonly string[],
  now: Date,
): Promise<KeptCredentials> {
  const { server, admin, authorityKey } = credentials;
  const isAdminDue = isDue(admin, now);
  const isServerDue = isDue(server, now) || !isGoodForHosts(server.certificate, hosts);
  if (!isServerDue && !isAdminDue) return credentials;
  const authority = { key: authorityKey, certificate: server.authority };
  return {
    ...credentials,
    ...(isServerDue && { server: { ...server, ...(await issueCertificate(authority, { hosts }, now)) } }),
    ...(isAdminDue && { admin: await issueCertificate(authority, administrator, now) }),
  };
}

function isDue(one: KeyedCertificate, now: Date): boolean {
  return !isPair(one) || isDueForRenewal(one.certificate, now);
}
