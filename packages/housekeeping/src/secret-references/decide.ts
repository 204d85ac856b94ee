import type { ServiceAccount } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';

export interface ReferenceState {
  readonly account: Readonly<ServiceAccount>;
  /** The name of a token secret that is gone. */
  readonly secret: string;
}

/** An account does not list a token that is gone. */
export function decideSecretReference({ account, secret }: ReferenceState): Plan {
  const before = account.secrets ?? [];
  const secrets = before.filter(({ name }) => name !== secret);
  if (secrets.length === before.length) return nothingToDo;
  return { steps: [[{ verb: 'update', kind: kinds.serviceAccount, object: { ...account, secrets } }]] };
}
