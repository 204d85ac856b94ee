/** What a member has on the hub: a namespace, a Role and a RoleBinding in it, and its InternalMemberCluster. */
import {
  clusterApi,
  fleetResourceLabel,
  internalMemberClusters,
  memberNamespace,
  memberRole,
  memberRoleBinding,
  type InternalMemberCluster,
  type MemberCluster,
} from '@flotilla/api';
import {
  apiVersionOf,
  jsonEquals,
  namespaces,
  rbacGroup,
  roleBindings,
  roles,
  type KubeObject,
  type ObjectMeta,
  type OwnerReference,
  type Role,
  type RoleBinding,
} from '@flotilla/kube';
import type { PlannedEvent, Write } from '@flotilla/runtime';
import { memberRules, subjectOf } from './member-access.ts';
import type { MemberState } from './member-state.ts';

/** A write and what people are told of it. Undefined: all is as it should be. */
export interface Furnishing {
  readonly write: Write;
  readonly event?: PlannedEvent;
}

export function furnishNamespace({ cluster, namespace }: MemberState): Furnishing | undefined {
  if (namespace === undefined) {
    const metadata = { name: namespaceOf(cluster), labels: { [fleetResourceLabel]: 'true' }, ...ownedBy(cluster) };
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata };
    const event = told(cluster, 'NamespaceCreated', 'Namespace was created');
    return { write: { verb: 'create', kind: namespaces, object }, event };
  }
  const { name = '', resourceVersion = '', labels = {} } = namespace.metadata;
  if (labels[fleetResourceLabel]) return undefined;
  const patch = { metadata: { resourceVersion, labels: { [fleetResourceLabel]: 'true' } } };
  const event = told(cluster, 'NamespacePatched', 'Namespace was patched');
  return { write: { verb: 'patch', kind: namespaces, key: { name }, patch }, event };
}

export function furnishRole({ cluster, role }: MemberState, hasNetworkingAgents: boolean): Furnishing | undefined {
  const rules = [...memberRules(hasNetworkingAgents)];
  if (role === undefined) {
    const metadata = metadataIn(cluster, memberRole(nameOf(cluster)));
    const object: Role = { apiVersion: `${rbacGroup}/v1`, kind: 'Role', metadata, rules };
    return { write: { verb: 'create', kind: roles, object }, event: told(cluster, 'RoleCreated', 'role was created') };
  }
  if (jsonEquals(role.rules ?? [], rules)) return undefined;
  const write: Write = { verb: 'update', kind: roles, object: { ...role, rules } };
  return { write, event: told(cluster, 'RoleUpdated', 'role was updated') };
}

export function furnishRoleBinding({ cluster, roleBinding }: MemberState): Furnishing | undefined {
  const subjects = [subjectOf(cluster.spec.identity)];
  const roleRef = { apiGroup: rbacGroup, kind: 'Role', name: memberRole(nameOf(cluster)) };
  if (roleBinding === undefined) {
    const metadata = metadataIn(cluster, memberRoleBinding(nameOf(cluster)));
    const object: RoleBinding = { apiVersion: `${rbacGroup}/v1`, kind: 'RoleBinding', metadata, subjects, roleRef };
    const event = told(cluster, 'RoleBindingCreated', 'role binding was created');
    return { write: { verb: 'create', kind: roleBindings, object }, event };
  }
  // To which role it leads cannot be changed: the next turn makes another.
  if (!jsonEquals(roleBinding.roleRef, roleRef)) return { write: withdrawn(roleBinding) };
  if (jsonEquals(roleBinding.subjects ?? [], subjects)) return undefined;
  const write: Write = { verb: 'update', kind: roleBindings, object: { ...roleBinding, subjects } };
  return { write, event: told(cluster, 'RoleBindingUpdated', 'role binding was updated') };
}

/** Nobody comes as the member any more. */
export function withdrawn({ metadata: { namespace, name = '', uid = '' } }: Readonly<RoleBinding>): Write {
  return { verb: 'delete', kind: roleBindings, key: { namespace, name }, uid };
}

export function furnishInternal({ cluster, internal }: MemberState, state: 'Join' | 'Leave'): Furnishing | undefined {
  const { heartbeatPeriodSeconds } = cluster.spec;
  const spec = { state, heartbeatPeriodSeconds };
  if (internal === undefined) {
    const metadata = metadataIn(cluster, nameOf(cluster));
    const apiVersion = apiVersionOf(clusterApi);
    const object: InternalMemberCluster = { apiVersion, kind: 'InternalMemberCluster', metadata, spec };
    const event = told(cluster, 'InternalMemberClusterCreated', 'Internal member cluster was created');
    return { write: { verb: 'create', kind: internalMemberClusters, object }, event };
  }
  if (jsonEquals(internal.spec, spec)) return undefined;
  // Not the object, whose status may be of any size, and not its revision, which the member changes as often as it likes.
  const { namespace, name = '', uid = '' } = internal.metadata;
  const patch = { metadata: { uid }, spec };
  const write: Write = { verb: 'patch', kind: internalMemberClusters, key: { namespace, name }, patch };
  const event = told(cluster, 'InternalMemberClusterSpecUpdated', 'internal member cluster spec updated');
  return { write, event };
}

function told(about: MemberCluster, reason: string, message: string): PlannedEvent {
  return { about, type: 'Normal', reason, message };
}

function metadataIn(cluster: MemberCluster, name: string): ObjectMeta {
  return { name, namespace: namespaceOf(cluster), ...ownedBy(cluster) };
}

/** What is owned goes with the member, even if nobody takes leave of it. */
function ownedBy({ metadata }: MemberCluster): { ownerReferences: OwnerReference[] } {
  const { name = '', uid = '' } = metadata;
  const apiVersion = apiVersionOf(clusterApi);
  return { ownerReferences: [{ apiVersion, kind: 'MemberCluster', name, uid, controller: true }] };
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}

function namespaceOf(cluster: MemberCluster): string {
  return memberNamespace(nameOf(cluster));
}
