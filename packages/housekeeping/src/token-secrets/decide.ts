import { serviceAccountNameKey, type Secret, type ServiceAccount } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';

const accountUidKey = 'kubernetes.io/service-account.uid';

/** The service account of a token, and the secret that holds it. */
export interface TokenSubject {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly secret: { readonly name: string; readonly uid: string };
}

export type SignToken = (subject: TokenSubject) => string;

export interface TokenSecretState {
  readonly account: Readonly<ServiceAccount> | undefined;
  /** All secrets that name this account. */
  readonly secrets: readonly Readonly<Secret>[];
  /** PEM. */
  readonly certificate: string;
  readonly sign: SignToken;
}

/** The name of the service account that a token secret is for; empty if it names none. */
export function accountOf({ metadata: { annotations } }: Readonly<Secret>): string {
  return annotations?.[serviceAccountNameKey] ?? '';
}

/** Fills the token secrets of an account, and deletes them when it is gone. */
export function decideTokenSecrets({ account, secrets, certificate, sign }: TokenSecretState): Plan {
  const writes = secrets
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((secret) => (isFor(account, secret) ? completion(secret, account, certificate, sign) : [removal(secret)]));
  return writes.length === 0 ? nothingToDo : { steps: [writes] };
}

/** A new account with the same name has another uid. */
function isFor(
  account: Readonly<ServiceAccount> | undefined,
  { metadata: { annotations } }: Readonly<Secret>,
): account is Readonly<ServiceAccount> {
  const wanted = annotations?.[accountUidKey] ?? '';
  return account !== undefined && (wanted === '' || wanted === account.metadata.uid);
}

function completion(
  secret: Readonly<Secret>,
  account: Readonly<ServiceAccount>,
  certificate: string,
  sign: SignToken,
): Write[] {
  const data = filled(secret, account, certificate, sign);
  if (!data) return [];
  const { name, uid } = named(account);
  const annotations = { ...secret.metadata.annotations, [serviceAccountNameKey]: name, [accountUidKey]: uid };
  const object = { ...secret, metadata: { ...secret.metadata, annotations }, data };
  return [{ verb: 'update', kind: kinds.secret, object }];
}

function removal({ metadata: { namespace, name = '', uid = '' } }: Readonly<Secret>): Write {
  return { verb: 'delete', kind: kinds.secret, key: { namespace, name }, uid };
}

/** Returns undefined if nothing is missing. An existing token stays, even one that the user wrote. */
function filled(
  secret: Readonly<Secret>,
  account: Readonly<ServiceAccount>,
  certificate: string,
  sign: SignToken,
): Record<string, string> | undefined {
  const before = secret.data ?? {};
  const { namespace = '' } = secret.metadata;
  const isComplete =
    before['ca.crt'] === base64(certificate) && Boolean(before['namespace']) && Boolean(before['token']);
  if (isComplete) return undefined;
  return {
    ...before,
    'ca.crt': base64(certificate),
    namespace: before['namespace'] || base64(namespace),
    token: before['token'] || base64(sign({ namespace, account: named(account), secret: named(secret) })),
  };
}

function named({ metadata: { name = '', uid = '' } }: Readonly<Secret | ServiceAccount>) {
  return { name, uid };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
