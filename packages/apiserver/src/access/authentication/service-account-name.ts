import { nameIsDnsLabel, nameIsDnsSubdomain } from '@flotilla/kube';

const prefix = 'system:serviceaccount:';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** What a service account is called as a user. */
export function serviceAccountUser({ namespace, name }: ServiceAccountName): string {
  return `${prefix}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Undefined for users that are no service accounts. */
export function parseServiceAccountUser(user: string): ServiceAccountName | undefined {
  if (!user.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(prefix.length).split(':');
  const isOne =
    rest.length === 0 && nameIsDnsLabel(namespace, false).length === 0 && nameIsDnsSubdomain(name, false).length === 0;
  return isOne ? { namespace, name } : undefined;
}
