import { fleetNamespace } from '@flotilla/api';
import {
  isDueForRenewal,
  isIssuedBy,
  isPair,
  issueCertificate,
  isValidForHosts,
  makeAuthority,
  renewAuthority,
  type KeyedCertificate,
} from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, isAlreadyExists, isConflict, secrets, type Secret } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';

/** All replicas of a hub share the authority and the certificate. */
export const certificateSecret = { namespace: fleetNamespace, name: 'flotilla-webhook-certificates' };

export interface WebhookCertificate extends KeyedCertificate {
  /** PEM. */
  readonly authority: string;
}

interface Stored {
  readonly authority: KeyedCertificate;
  readonly serving: KeyedCertificate;
}

/** Another replica may write at the same time; it wins at most this often. */
const maxAttempts = 5;

/** Loads the certificate of the webhook. Makes it if it is missing, and renews it, and its authority, when they are due. */
export async function loadWebhookCertificate(
  client: Client,
  clock: Clock,
  hosts: readonly string[],
): Promise<WebhookCertificate> {
  for (let attempt = 1; ; attempt++) {
    const secret = await client.get(secrets, certificateSecret).catch(ignoreNotFound);
    const before = secret && storedIn(secret);
    const now = new Date(clock.now());
    const stored = await renewed(before, hosts, now);
    if (stored === before) return certificateOf(stored);
    try {
      await (secret ? client.update(secrets, withStored(secret, stored)) : client.create(secrets, newSecret(stored)));
      return certificateOf(stored);
    } catch (error) {
      if (attempt === maxAttempts || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}

/** Returns `before` if nothing is due. The authority keeps its key, so that the API server trusts old and new certificates. */
async function renewed(before: Stored | undefined, hosts: readonly string[], now: Date): Promise<Stored> {
  if (!before) {
    const authority = await makeAuthority(now);
    return { authority, serving: await issueCertificate(authority, { hosts, name: 'flotilla-hub' }, now) };
  }
  const isAuthorityDue = isDueForRenewal(before.authority.certificate, now);
  const isServingDue =
    isDueForRenewal(before.serving.certificate, now) || !isValidForHosts(before.serving.certificate, hosts);
  if (!isAuthorityDue && !isServingDue) return before;
  const { key, certificate } = before.authority;
  const authority = { key, certificate: isAuthorityDue ? await renewAuthority(key, now) : certificate };
  return { authority, serving: await issueCertificate(authority, { hosts, name: 'flotilla-hub' }, now) };
}

function certificateOf({ authority, serving }: Stored): WebhookCertificate {
  return { ...serving, authority: authority.certificate };
}

const keys = ['ca.key', 'ca.crt', 'tls.key', 'tls.crt'] as const;

/** Undefined if a part is missing or cannot be read: then all are made again. */
function storedIn({ data = {} }: Secret): Stored | undefined {
  const [caKey = '', caCertificate = '', key = '', certificate = ''] = keys.map((name) =>
    Buffer.from(data[name] ?? '', 'base64').toString('utf8'),
  );
  const stored = { authority: { key: caKey, certificate: caCertificate }, serving: { key, certificate } };
  return isUsable(stored) ? stored : undefined;
}

function isUsable({ authority, serving }: Stored): boolean {
  return isPair(authority) && isPair(serving) && isIssuedBy(serving.certificate, authority.certificate);
}

function withStored(secret: Secret, { authority, serving }: Stored): Secret {
  const values = [authority.key, authority.certificate, serving.key, serving.certificate];
  const data = Object.fromEntries(keys.map((name, at) => [name, Buffer.from(values[at] ?? '').toString('base64')]));
  return { ...secret, data: { ...secret.data, ...data } };
}

function newSecret(stored: Stored): Secret {
  return withStored({ apiVersion: 'v1', kind: 'Secret', metadata: certificateSecret, type: 'Opaque' }, stored);
}
