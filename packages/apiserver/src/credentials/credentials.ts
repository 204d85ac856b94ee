import { randomBytes } from 'node:crypto';
import { administrator, mastersGroup } from '@flotilla/kube';
import { makeTokenKey } from '../access/authentication/token-keys.ts';
import {
  expiryOf,
  isDueForRenewal,
  isValidForHosts,
  issueCertificate,
  makeAuthority,
  renewAuthority,
  type KeyedCertificate,
  type ServerIdentity,
} from './certificates.ts';
import type { FoundCredentials } from './check-credentials.ts';
import { UnusableCredentials } from './unusable-credentials.ts';

/** All keys and certificates of a server. */
export interface CredentialSet {
  readonly server: ServerIdentity;
  /** The administrator's certificate. */
  readonly admin: KeyedCertificate;
  /** The administrator's bearer token, for clients that cannot do certificates. */
  readonly token: string;
  /** Signs certificates; PEM. Undefined if it is stored elsewhere: then no certificate can be renewed. */
  readonly authorityKey: string | undefined;
  /** Signs service account tokens; PEM. */
  readonly tokenKey: string;
}

type FreshCredentials = CredentialSet & { readonly authorityKey: string };

const subject = { user: administrator.name, group: mastersGroup };

export async function freshCredentials(hosts: readonly string[], now: Date): Promise<FreshCredentials> {
  const authority = await makeAuthority(now);
  const [server, admin] = await Promise.all([
    issueCertificate(authority, { hosts }, now),
    issueCertificate(authority, subject, now),
  ]);
  return {
    server: { ...server, authority: authority.certificate, clientAuthority: authority.certificate },
    admin,
    token: randomBytes(32).toString('base64url'),
    authorityKey: authority.key,
    tokenKey: makeTokenKey(),
  };
}

/** Issues missing certificates, and renews those that are due. Errors name `folder`. */
export async function completeCredentials(
  { authority: kept, authorityKey, server, admin, tokenKey, token }: FoundCredentials,
  hosts: readonly string[],
  now: Date,
  folder: string,
): Promise<CredentialSet> {
  if (authorityKey === undefined) {
    if (kept === undefined) throw new TypeError('neither the authority nor its key was found');
    const withoutAdmin = {
      server: withAuthority(usable(server, 'server', folder, now), kept),
      token,
      tokenKey,
      authorityKey,
    };
    refuseOtherHosts(withoutAdmin.server.certificate, hosts, folder);
    return { ...withoutAdmin, admin: usable(admin, 'admin', folder, now) };
  }
  const authority = { key: authorityKey, certificate: kept ?? (await renewAuthority(authorityKey, now)) };
  const found = {
    server: withAuthority(server ?? (await issueCertificate(authority, { hosts }, now)), authority.certificate),
    admin: admin ?? (await issueCertificate(authority, subject, now)),
  };
  return renewedCredentials({ ...found, token, tokenKey, authorityKey }, hosts, now);
}

/**
 * Renews certificates that are due or do not name the hosts. Returns the same object if nothing is due, or nothing can be
 * renewed. The authority does not change, so that old certificates stay valid.
 */
export async function renewedCredentials(
  credentials: CredentialSet,
  hosts: readonly string[],
  now: Date,
): Promise<CredentialSet> {
  const { server, admin, authorityKey } = credentials;
  const isAdminDue = isDueForRenewal(admin.certificate, now);
  const isServerDue = isDueForRenewal(server.certificate, now) || !isValidForHosts(server.certificate, hosts);
  if (authorityKey === undefined || (!isServerDue && !isAdminDue)) return credentials;
  const authority = { key: authorityKey, certificate: server.authority };
  return {
    ...credentials,
    ...(isServerDue && { server: { ...server, ...(await issueCertificate(authority, { hosts }, now)) } }),
    ...(isAdminDue && { admin: await issueCertificate(authority, subject, now) }),
  };
}

/** A message about a certificate that is due and cannot be renewed; undefined if there is none. */
export function overdueCertificate({ server, admin, authorityKey }: CredentialSet, now: Date): string | undefined {
  if (authorityKey !== undefined) return undefined;
  const [name, one] = isDueForRenewal(server.certificate, now) ? ['server', server] : ['admin', admin];
  if (!isDueForRenewal(one.certificate, now)) return undefined;
  return `${name}.crt expires on ${dayOf(one.certificate)} and cannot be renewed without ca.key; put it back into pki until then`;
}

function withAuthority(one: KeyedCertificate, authority: string): ServerIdentity {
  return { ...one, authority, clientAuthority: authority };
}

/** Throws if the certificate is missing or expired, because it cannot be renewed. */
function usable(
  one: KeyedCertificate | undefined,
  name: 'server' | 'admin',
  folder: string,
  now: Date,
): KeyedCertificate {
  if (one !== undefined && expiryOf(one.certificate) > now) return one;
  const what = one === undefined ? 'or its key is missing' : `expired on ${dayOf(one.certificate)}`;
  throw withoutAuthorityKey(folder, `${name}.crt ${what}`);
}

function refuseOtherHosts(certificate: string, hosts: readonly string[], folder: string): void {
  const other = hosts.find((host) => !isValidForHosts(certificate, [host]));
  if (other !== undefined) throw withoutAuthorityKey(folder, `server.crt is not valid for ${other}`);
}

function withoutAuthorityKey(folder: string, why: string): UnusableCredentials {
  return new UnusableCredentials(
    `${folder}/ca.key is missing, but a certificate must be signed: ${why}; put ca.key back for one start`,
  );
}

function dayOf(certificate: string): string {
  return expiryOf(certificate).toISOString().slice(0, 10);
}
