/** What the guard rail refuses, except changes of MemberClusters. Each function returns the sentence, or undefined. */
import {
  clusterApi,
  fleetNamespace,
  inventoryApi,
  memberNamespace,
  networkingApi,
  placementApi,
  reservedNamespacePrefixes,
  type MemberCluster,
} from '@flotilla/api';
import { serviceAccountUserName, type User } from '@flotilla/kube';
import { isAllowed, isTrusted, notAllowed, type GuardedRequest, type GuardRailSettings } from './guard-users.ts';

export function isReservedNamespace(name: string): boolean {
  return reservedNamespacePrefixes.some((prefix) => name.startsWith(prefix));
}

const fleetGroups: readonly string[] = [networkingApi.group, clusterApi.group, placementApi.group, inventoryApi.group];

/** Only trusted users change the fleet's own definitions. The name of a definition is `PLURAL.GROUP`. */
export function refusedDefinition(request: GuardedRequest, settings: GuardRailSettings): string | undefined {
  const group = request.name.slice(request.name.indexOf('.') + 1);
  if (!fleetGroups.includes(group) || isTrusted(request.user, settings)) return undefined;
  return notAllowed(request);
}

export function refusedNamespace(request: GuardedRequest, settings: GuardRailSettings): string | undefined {
  if (!isReservedNamespace(request.name)) return undefined;
  return refusedUser(request, settings);
}

export function refusedUser(request: GuardedRequest, settings: GuardRailSettings): string | undefined {
  return isAllowed(request.user, settings) ? undefined : notAllowed(request);
}

/** The member whose namespace this is. Undefined for other namespaces. */
export function memberOfNamespace(namespace: string): string | undefined {
  const prefix = memberNamespace('');
  return namespace.length > prefix.length && namespace.startsWith(prefix) ? namespace.slice(prefix.length) : undefined;
}

/** Whether the user is the agent of that member. */
export function isIdentityOf({ spec }: MemberCluster, { name, groups }: User): boolean {
  const { identity } = spec;
  if (identity.kind === 'Group') return groups.includes(identity.name);
  return [identity.name, serviceAccountUserName({ namespace: fleetNamespace, name: identity.name })].includes(name);
}
