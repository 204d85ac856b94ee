/** The users that the guard rail knows. Names and groups are KubeFleet's. */
import { mastersGroup, type GroupVersionKind, type User } from '@flotilla/kube';

export interface GuardRailSettings {
  /** Users that may change what the guard rail protects, by name. */
  readonly whitelistedUsers: readonly string[];
  /** Whether only administrators may change labels of managed MemberClusters, except those of the fleet. */
  readonly deniesLabelChanges: boolean;
}

/** A request, as the sentences of the guard rail describe it. */
export interface GuardedRequest {
  readonly operation: string;
  readonly gvk: GroupVersionKind;
  readonly subresource: string;
  /** Empty for an object without a namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
}

const adminGroups = [mastersGroup, 'kubeadm:cluster-admins'];
const systemGroups = ['system:serviceaccounts', 'system:nodes'];
const systemUsers = ['system:kube-scheduler', 'system:kube-controller-manager', 'aks-support'];

export function isTrusted({ name, groups }: User, { whitelistedUsers }: GuardRailSettings): boolean {
  return whitelistedUsers.includes(name) || adminGroups.some((group) => groups.includes(group));
}

/** Trusted users, and the parts of a Kubernetes cluster: they create and delete objects everywhere. */
export function isAllowed(user: User, settings: GuardRailSettings): boolean {
  const { name, groups } = user;
  return (
    isTrusted(user, settings) || systemUsers.includes(name) || systemGroups.some((group) => groups.includes(group))
  );
}

/** The sentence that refuses a request. */
export function notAllowed({ operation, gvk, subresource, namespace, name, user }: GuardedRequest): string {
  const kind = `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
  const who = `user: '${user.name}' in '${groupsText(user.groups)}'`;
  return `${who} is not allowed to ${operation} resource ${kind}/${subresource}: ${namespace}/${name}`;
}

const maxGroups = 10;

function groupsText(groups: readonly string[]): string {
  if (groups.length <= maxGroups) return `groups: [${groups.join(' ')}]`;
  return `groups: [${groups.slice(0, 3).join(', ')},......]`;
}
