/** What a member may do on the hub, and who that is. */
import type { MemberIdentity } from '@flotilla/api';
import { rbacGroup, type PolicyRule, type Subject } from '@flotilla/kube';

/**
 * Only what an agent asks for: it reads its Works and its InternalMemberCluster, reports on both, and updates Works for the
 * sake of one finalizer, which admission holds it to.
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

/** The identity as the subject of a RoleBinding. The server would add the group, and the two would never be the same. */
export function subjectOf({ kind, apiGroup = '', name, namespace = '' }: MemberIdentity): Subject {
  const group = apiGroup === '' && (kind === 'User' || kind === 'Group') ? rbacGroup : apiGroup;
  return { kind, ...(group !== '' && { apiGroup: group }), name, ...(namespace !== '' && { namespace }) };
}
