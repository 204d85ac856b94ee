/** Tokens in Secrets, valid until their Secret is deleted. */
import { timingSafeEqual } from 'node:crypto';
import {
  formatTime,
  parseServiceAccountUserName,
  patchTypes,
  serviceAccountGroups,
  type ApiHandler,
  type ApiRequest,
  type User,
} from '@flotilla/kube';
import { serverRequest } from '../../own-requests/server-request.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Entry, Store } from '../../store/store.ts';
import { accountNotFound } from './bound-token.ts';
import { authenticatedUser } from './authenticated-user.ts';
import type { LegacyClaims } from './token-claims.ts';

export const legacyIssuer = 'kubernetes/serviceaccount';
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';

/** Records the day on which the token of a Secret was last used. */
export type MarkUsed = (secret: Entry, day: string) => void;

const invalidated = 'Token has been invalidated';

/** A token of a Secret, with a valid signature. */
export class LegacyToken {
  readonly user: User;
  readonly #claims: LegacyClaims;
  readonly #token: Buffer;
  /** The last revision of the Secret in which its token matched. */
  #seenRevision = 0;

  constructor(claims: LegacyClaims, token: string) {
    const { subject, namespace, account } = claims;
    this.user = authenticatedUser({ name: subject, uid: account.uid, groups: serviceAccountGroups(namespace) });
    this.#claims = claims;
    this.#token = Buffer.from(token);
  }

  fault(store: Store, nowMs: number, markUsed: MarkUsed): string | undefined {
    const missing = claimFault(this.#claims);
    if (missing !== undefined) return missing;
    const { namespace, secretName } = this.#claims;
    const secret = store.get({ collection: 'secrets', name: `${namespace}/${secretName}` });
    if (!secret || secret.header.deletionTimestamp !== undefined) return invalidated;
    if (!this.#isHeldBy(secret)) return "Token does not match server's copy";
    const fault = this.#accountFault(store);
    if (fault !== undefined) return fault;
    markIfNewDay(secret, nowMs, markUsed);
    return secret.header.labels?.[invalidSinceLabel] ? this.#markedInvalid() : undefined;
  }

  #isHeldBy(secret: Entry): boolean {
    if (secret.revision === this.#seenRevision) return true;
    const { data } = decodeStored(secret.bytes) as { data?: { token?: string } };
    const held = Buffer.from(data?.token ?? '', 'base64');
    if (held.length !== this.#token.length || !timingSafeEqual(held, this.#token)) return false;
    this.#seenRevision = secret.revision;
    return true;
  }

  #accountFault(store: Store): string | undefined {
    const { namespace, account } = this.#claims;
    const entry = store.get({ collection: 'serviceaccounts', name: `${namespace}/${account.name}` });
    if (!entry) return accountNotFound(account.name);
    const { uid, deletionTimestamp } = entry.header;
    if (deletionTimestamp !== undefined) return `ServiceAccount ${namespace}/${account.name} has been deleted`;
    return uid === account.uid ? undefined : `ServiceAccount UID (${uid}) does not match claim (${account.uid})`;
  }

  #markedInvalid(): string {
    const { namespace, account, secretName } = this.#claims;
    const what = `the token in secret ${namespace}/${secretName} for service account ${namespace}/${account.name}`;
    const instead = 'Use tokens from the TokenRequest API or manually created secret-based tokens';
    const or = `or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`;
    return `${what} has been marked invalid. ${instead}, ${or}`;
  }
}

function claimFault({ subject, namespace, account, secretName }: LegacyClaims): string | undefined {
  if (subject === '') return 'sub claim is missing';
  if (namespace === '') return 'namespace claim is missing';
  if (secretName === '') return 'secretName claim is missing';
  if (account.name === '') return 'serviceAccountName claim is missing';
  if (account.uid === '') return 'serviceAccountUID claim is missing';
  const parsed = parseServiceAccountUserName(subject);
  const isSame = parsed?.namespace === namespace && parsed.name === account.name;
  return isSame ? undefined : 'sub claim is invalid';
}

const dayMs = 24 * 60 * 60 * 1000;

/** Leaves the label of tomorrow: servers whose clocks differ around midnight must not overwrite each other. */
function markIfNewDay(secret: Entry, nowMs: number, markUsed: MarkUsed): void {
  const today = dayOf(nowMs);
  const marked = secret.header.labels?.[lastUsedLabel];
  if (marked !== today && marked !== dayOf(nowMs + dayMs)) markUsed(secret, today);
}

function dayOf(timeMs: number): string {
  return formatTime(new Date(timeMs)).slice(0, 10);
}

/**
 * Patches the day of last use onto the Secret, in the background: administrators look for unused tokens. A failed patch is
 * tried again at the next use.
 */
export function markSecretUsed(handle: () => ApiHandler): MarkUsed {
  const pending = new Set<string>();
  return (secret, day) => {
    const { name: key } = secret.key;
    if (pending.has(key)) return;
    pending.add(key);
    const done = (): void => void pending.delete(key);
    const [namespace = '', name = ''] = key.split('/', 2);
    const metadata = { uid: secret.header.uid, labels: { [lastUsedLabel]: day } };
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    const plain = serverRequest('PATCH', path, { object: { metadata } });
    const request: ApiRequest = {
      ...plain,
      headers: { ...plain.headers, 'content-type': patchTypes.merge },
    };
    Promise.resolve(handle()(request)).then(done, done);
  };
}
