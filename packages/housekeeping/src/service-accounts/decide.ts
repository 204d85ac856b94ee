import type { Namespace, ServiceAccount } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { isActive, kinds } from '../kinds.ts';

export const accountName = 'default';

export interface AccountState {
  readonly namespace: Readonly<Namespace>;
  readonly account: Readonly<ServiceAccount> | undefined;
}

/** Every active namespace has the account that pods use by default. */
export function decideServiceAccount({ namespace, account }: AccountState): Plan {
  if (account || !isActive(namespace)) return nothingToDo;
  const metadata = { name: accountName, namespace: namespace.metadata.name ?? '' };
  const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  return { steps: [[{ verb: 'create', kind: kinds.serviceAccount, object }]] };
}
