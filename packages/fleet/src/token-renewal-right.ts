import { memberClusters, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { apiVersionOf, rbacGroup, roleBindings, roles, type Role, type RoleBinding } from '@flotilla/kube';
import { getOrCreate, memberAccount } from './member-credentials.ts';

/**
 * Lets a member request tokens for its own service account, and for no other. The right ends with the MemberCluster, which owns the
 * role. Returns without a write if the member has it.
 */
export async function allowTokenRenewal(hub: Client, { metadata }: MemberCluster): Promise<void> {
  const { name: member = '', uid = '' } = metadata;
  const { name: account, namespace } = memberAccount(member);
  const name = `${account}-token`;
  const owner = { apiVersion: apiVersionOf(memberClusters), kind: memberClusters.kind, name: member, uid };
  const meta = { name, namespace, ownerReferences: [owner] };
  const role: Role = {
    apiVersion: apiVersionOf(roles),
    kind: roles.kind,
    metadata: meta,
    rules: [{ apiGroups: [''], resources: ['serviceaccounts/token'], resourceNames: [account], verbs: ['create'] }],
  };
  const binding: RoleBinding = {
    apiVersion: apiVersionOf(roleBindings),
    kind: roleBindings.kind,
    metadata: meta,
    roleRef: { apiGroup: rbacGroup, kind: roles.kind, name },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  };
  await getOrCreate(hub, roles, role);
  await getOrCreate(hub, roleBindings, binding);
}
