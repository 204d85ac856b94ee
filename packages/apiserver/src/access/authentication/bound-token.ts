import { apiErrors, quote, serviceAccountGroups, serviceAccountUserName, type User } from '@flotilla/kube';
import type { Entry, Store } from '../../store/store.ts';
import { credentialIdKey, authenticatedUser } from './authenticated-user.ts';
import type { BoundClaims, BoundObject, TokenTimes } from './token-claims.ts';

/** Tolerated difference between clocks of servers. */
export const leewayMs = 60_000;

const invalidated = 'service account token has been invalidated';

/**
 * Why a token with a valid signature is invalid now; undefined if it is valid. Checks time, account and bound object on every
 * request, because they change.
 */
export function boundTokenFault(claims: BoundClaims, store: Store, nowMs: number): string | undefined {
  return timeFault(claims.times, nowMs) ?? accountFault(claims, store, nowMs) ?? boundObjectFault(claims, store, nowMs);
}

function timeFault({ notBefore, expires, issuedAt }: TokenTimes, nowMs: number): string | undefined {
  if (notBefore !== undefined && nowMs + leewayMs < notBefore * 1000) return 'service account token is not valid yet';
  if (expires !== undefined && nowMs - leewayMs > expires * 1000) return 'service account token has expired';
  if (issuedAt !== undefined && nowMs + leewayMs < issuedAt * 1000) {
    return 'service account token is issued in the future';
  }
  return undefined;
}

function accountFault({ namespace, account }: BoundClaims, store: Store, nowMs: number): string | undefined {
  const { name, uid } = account;
  const entry = store.get({ collection: 'serviceaccounts', name: `${namespace}/${name}` });
  if (!entry) return accountNotFound(name);
  if (entry.header.uid !== uid) return `service account UID (${entry.header.uid}) does not match claim (${uid})`;
  if (isLongDeleted(entry, nowMs)) return `service account ${namespace}/${name} has been deleted`;
  return undefined;
}

export function accountNotFound(name: string): string {
  return apiErrors.notFound({ resource: 'serviceaccounts', group: '' }, name).message;
}

function boundObjectFault(claims: BoundClaims, store: Store, nowMs: number): string | undefined {
  const { namespace, secret, pod, node } = claims;
  const faultOf = (
    kind: string,
    collection: string,
    bound: BoundObject | undefined,
    key: string,
  ): string | undefined => {
    if (!bound) return undefined;
    const entry = store.get({ collection, name: key });
    if (!entry) return invalidated;
    if (entry.header.uid !== bound.uid) {
      const claim = `service account ${kind} ref claim (${bound.uid})`;
      return `${kind} UID (${entry.header.uid}) does not match ${claim}`;
    }
    return isLongDeleted(entry, nowMs) ? invalidated : undefined;
  };
  return (
    faultOf('secret', 'secrets', secret, `${namespace}/${secret?.name}`) ??
    faultOf('pod', 'pods', pod, `${namespace}/${pod?.name}`) ??
    // The node of a pod is information only.
    (pod ? undefined : faultOf('node', 'nodes', node, node?.name ?? ''))
  );
}

function isLongDeleted({ header }: Entry, nowMs: number): boolean {
  const { deletionTimestamp } = header;
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < nowMs - leewayMs;
}

export function boundTokenUser({ id, namespace, account, pod, node }: BoundClaims): User {
  const extra: Record<string, readonly string[]> = {};
  if (id !== '') extra[credentialIdKey] = [`JTI=${id}`];
  if (node && node.name !== '') {
    extra['authentication.kubernetes.io/node-name'] = [node.name];
    if (node.uid !== '') extra['authentication.kubernetes.io/node-uid'] = [node.uid];
  }
  if (pod && pod.name !== '' && pod.uid !== '') {
    extra['authentication.kubernetes.io/pod-name'] = [pod.name];
    extra['authentication.kubernetes.io/pod-uid'] = [pod.uid];
  }
  return authenticatedUser({
    name: serviceAccountUserName({ namespace, name: account.name }),
    uid: account.uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length > 0 && { extra }),
  });
}

/** How Go prints a list of strings. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(quote).join(' ')}]`;
}
