import type { ServiceAccount } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';

export interface ReferenceState {
  readonly account: Readonly<ServiceAccount>;
  /** The name of a deleted token secret. */
  readonly secret: string;
}

/** A service account does not list a deleted token secret. */
export function decideSecretReference({ account, secret }: ReferenceState): Plan {
  const before = account.secrets ?? [];
  const secrets = before.filter(({ name }) => name !== secret);
  if (secrets.length === before.length) return nothingToDo;
  return { steps: [[{ verb: 'update', kind: kinds.serviceAccount, object: { ...account, secrets } }]] };
}
