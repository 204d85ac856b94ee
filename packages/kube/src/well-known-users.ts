/** Users and groups that Kubernetes itself gives a meaning to. */
import type { User } from './api-handler.ts';
import { nameIsDnsLabel, nameIsDnsSubdomain } from './names/object-name.ts';

/** Its members may do everything, without a role. */
export const mastersGroup = 'system:masters';
export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';

export function isMaster({ groups }: User): boolean {
  return groups.includes(mastersGroup);
}

/** A caller without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: [unauthenticatedGroup] };

/** The user in the kubeconfig of a new cluster, by the name that kubeadm gives it. */
export const administrator: User = { name: 'kubernetes-admin', groups: [mastersGroup, authenticatedGroup] };

/** The user of kube-controller-manager, or of what replaces it. */
export const controllerManager: User = {
  name: 'system:kube-controller-manager',
  groups: [mastersGroup, authenticatedGroup],
};

/** The user of requests that an API server sends to itself. */
export const apiServerUser: User = { name: 'system:apiserver', groups: [mastersGroup] };

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const serviceAccountPrefix = 'system:serviceaccount:';

export function serviceAccountUserName({ namespace, name }: ServiceAccountName): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The user that authentication returns for a service account. */
export function serviceAccountUser(account: ServiceAccountName): User {
  return {
    name: serviceAccountUserName(account),
    groups: [...serviceAccountGroups(account.namespace), authenticatedGroup],
  };
}

/** Returns undefined for other users. */
export function parseServiceAccountUserName(user: string): ServiceAccountName | undefined {
  if (!user.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(serviceAccountPrefix.length).split(':');
  const isOne =
    rest.length === 0 && nameIsDnsLabel(namespace, false).length === 0 && nameIsDnsSubdomain(name, false).length === 0;
  return isOne ? { namespace, name } : undefined;
}
