/** The objects of a member on the hub: a namespace, and in it a Role, a RoleBinding and the InternalMemberCluster. */
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

/** A write and its event. Functions return undefined if nothing must change. */
export interface PlaceChange {
  readonly write: Write;
  readonly event?: PlannedEvent;
}

export function ensureNamespace({ cluster, namespace }: MemberState): PlaceChange | undefined {
  if (namespace === undefined) {
    const metadata = { name: namespaceOf(cluster), labels: { [fleetResourceLabel]: 'true' }, ...ownedBy(cluster) };
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata };
    const event = normalEvent(cluster, 'NamespaceCreated', 'Namespace was created');
    return { write: { verb: 'create', kind: namespaces, object }, event };
  }
  const { name = '', resourceVersion = '', labels = {} } = namespace.metadata;
  if (labels[fleetResourceLabel]) return undefined;
  const patch = { metadata: { resourceVersion, labels: { [fleetResourceLabel]: 'true' } } };
  const event = normalEvent(cluster, 'NamespacePatched', 'Namespace was patched');
  return { write: { verb: 'patch', kind: namespaces, key: { name }, patch }, event };
}

export function ensureRole({ cluster, role }: MemberState, hasNetworkingAgents: boolean): PlaceChange | undefined {
  const rules = [...memberRules(hasNetworkingAgents)];
  if (role === undefined) {
    const metadata = metadataIn(cluster, memberRole(nameOf(cluster)));
    const object: Role = { apiVersion: `${rbacGroup}/v1`, kind: 'Role', metadata, rules };
    return {
      write: { verb: 'create', kind: roles, object },
      event: normalEvent(cluster, 'RoleCreated', 'role was created'),
    };
  }
  if (jsonEquals(role.rules ?? [], rules)) return undefined;
  const write: Write = { verb: 'update', kind: roles, object: { ...role, rules } };
  return { write, event: normalEvent(cluster, 'RoleUpdated', 'role was updated') };
}

export function ensureRoleBinding({ cluster, roleBinding }: MemberState): PlaceChange | undefined {
  const subjects = [subjectOf(cluster.spec.identity)];
  const roleRef = { apiGroup: rbacGroup, kind: 'Role', name: memberRole(nameOf(cluster)) };
  if (roleBinding === undefined) {
    const metadata = metadataIn(cluster, memberRoleBinding(nameOf(cluster)));
    const object: RoleBinding = { apiVersion: `${rbacGroup}/v1`, kind: 'RoleBinding', metadata, subjects, roleRef };
    const event = normalEvent(cluster, 'RoleBindingCreated', 'role binding was created');
    return { write: { verb: 'create', kind: roleBindings, object }, event };
  }
  // A roleRef is immutable: the next reconcile creates another RoleBinding.
  if (!jsonEquals(roleBinding.roleRef, roleRef)) return { write: deleteRoleBinding(roleBinding) };
  if (jsonEquals(roleBinding.subjects ?? [], subjects)) return undefined;
  const write: Write = { verb: 'update', kind: roleBindings, object: { ...roleBinding, subjects } };
  return { write, event: normalEvent(cluster, 'RoleBindingUpdated', 'role binding was updated') };
}

/** Ends the rights of the member's identity. */
export function deleteRoleBinding({ metadata: { namespace, name = '', uid = '' } }: Readonly<RoleBinding>): Write {
  return { verb: 'delete', kind: roleBindings, key: { namespace, name }, uid };
}

export function ensureInternal({ cluster, internal }: MemberState, state: 'Join' | 'Leave'): PlaceChange | undefined {
  const { heartbeatPeriodSeconds } = cluster.spec;
  const spec = { state, heartbeatPeriodSeconds };
  if (internal === undefined) {
    const metadata = metadataIn(cluster, nameOf(cluster));
    const apiVersion = apiVersionOf(clusterApi);
    const object: InternalMemberCluster = { apiVersion, kind: 'InternalMemberCluster', metadata, spec };
    const event = normalEvent(cluster, 'InternalMemberClusterCreated', 'Internal member cluster was created');
    return { write: { verb: 'create', kind: internalMemberClusters, object }, event };
  }
  if (jsonEquals(internal.spec, spec)) return undefined;
  // Sends neither the whole object, whose status may be large, nor its resourceVersion, which the member changes at will.
  const { namespace, name = '', uid = '' } = internal.metadata;
  const patch = { metadata: { uid }, spec };
  const write: Write = { verb: 'patch', kind: internalMemberClusters, key: { namespace, name }, patch };
  const event = normalEvent(cluster, 'InternalMemberClusterSpecUpdated', 'internal member cluster spec updated');
  return { write, event };
}

function normalEvent(about: MemberCluster, reason: string, message: string): PlannedEvent {
  return { about, type: 'Normal', reason, message };
}

function metadataIn(cluster: MemberCluster, name: string): ObjectMeta {
  return { name, namespace: namespaceOf(cluster), ...ownedBy(cluster) };
}

/** The garbage collector deletes owned objects with the member, even without a controller. */
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
