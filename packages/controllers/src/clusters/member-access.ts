/** The rights and the RBAC subject of a member on the hub. */
import type { MemberIdentity } from '@flotilla/api';
import { rbacGroup, type PolicyRule, type Subject } from '@flotilla/kube';

/**
 * Only what an agent needs: it reads its Works and its InternalMemberCluster, writes the status of both, and updates Works to set
 * one finalizer. Admission refuses any other update.
 */
const agentRules: readonly PolicyRule[] = [
  { verbs: ['get', 'list', 'watch', 'update'], apiGroups: ['placement.kubernetes-fleet.io'], resources: ['works'] },
  { verbs: ['update', 'patch'], apiGroups: ['placement.kubernetes-fleet.io'], resources: ['works/status'] },
  {
    verbs: ['get', 'list', 'watch'],
    apiGroups: ['cluster.kubernetes-fleet.io'],
    resources: ['internalmemberclusters'],
  },
  {
    verbs: ['update', 'patch'],
    apiGroups: ['cluster.kubernetes-fleet.io'],
    resources: ['internalmemberclusters/status'],
  },
  { verbs: ['get', 'list', 'update', 'patch', 'watch', 'create'], apiGroups: [''], resources: ['events'] },
];

/** The agents of fleet networking keep their objects in the same namespace. */
const networkingRule: PolicyRule = { verbs: ['*'], apiGroups: ['networking.fleet.azure.com'], resources: ['*'] };

export function memberRules(hasNetworkingAgents: boolean): readonly PolicyRule[] {
  return hasNetworkingAgents ? [...agentRules, networkingRule] : agentRules;
}

/** The identity as the subject of a RoleBinding. Sets the group that the server would default, so that the two stay equal. */
export function subjectOf({ kind, apiGroup = '', name, namespace = '' }: MemberIdentity): Subject {
  const group = apiGroup === '' && (kind === 'User' || kind === 'Group') ? rbacGroup : apiGroup;
  return { kind, ...(group !== '' && { apiGroup: group }), name, ...(namespace !== '' && { namespace }) };
}
