/** What users of a namespace may do with the fleet's kinds: added to Kubernetes' roles view, edit and admin. */
import {
  approvalRequests,
  addOnPlacementScores,
  clusterResourcePlacementStatuses,
  managedClusterSetBindings,
  ocmGroup,
  ocmPlacements,
  placementApi,
  placementDecisions,
  resourceBindings,
  resourceEnvelopes,
  resourceOverrides,
  resourceOverrideSnapshots,
  resourcePlacements,
  resourceSnapshots,
  schedulingPolicySnapshots,
  stagedUpdateRuns,
  stagedUpdateStrategies,
} from '@flotilla/api';
import { apiVersionOf, clusterRoles, type ClusterRole, type Kind } from '@flotilla/kube';

/** Users write these. Edits of an approval request's status approve it. */
const written: readonly Kind[] = [
  resourcePlacements,
  resourceOverrides,
  resourceEnvelopes,
  stagedUpdateRuns,
  stagedUpdateStrategies,
];

/** Controllers write these. */
const observed: readonly Kind[] = [
  resourceBindings,
  resourceSnapshots,
  schedulingPolicySnapshots,
  resourceOverrideSnapshots,
  clusterResourcePlacementStatuses,
  approvalRequests,
];

/** Whose clusters a namespace may use is decided by the owners of cluster sets, so that editors cannot bind one. */
const observedOfOcm: readonly Kind[] = [
  ocmPlacements,
  placementDecisions,
  managedClusterSetBindings,
  addOnPlacementScores,
];

const read = ['get', 'list', 'watch'];
const write = ['create', 'update', 'patch', 'delete', 'deletecollection'];

export const namespaceRoles: readonly ClusterRole[] = [
  roleFor(
    'view',
    ['view'],
    [
      rule(
        [...written, ...observed].map(({ plural }) => plural),
        read,
      ),
      ocmRule(observedOfOcm, read),
    ],
  ),
  roleFor(
    'edit',
    ['edit', 'admin'],
    [
      rule(
        written.map(({ plural }) => plural),
        write,
      ),
      ocmRule([ocmPlacements], write),
      rule([`${approvalRequests.plural}/status`], ['get', 'update', 'patch']),
    ],
  ),
];

function rule(resources: string[], verbs: string[]) {
  return { apiGroups: [placementApi.group], resources, verbs };
}

function ocmRule(kinds: readonly Kind[], verbs: string[]) {
  return { apiGroups: [ocmGroup], resources: kinds.map(({ plural }) => plural), verbs };
}

function roleFor(name: string, aggregatedTo: readonly string[], rules: NonNullable<ClusterRole['rules']>): ClusterRole {
  const labels = Object.fromEntries(
    aggregatedTo.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']),
  );
  return {
    apiVersion: apiVersionOf(clusterRoles),
    kind: clusterRoles.kind,
    metadata: { name: `fleet-placement-${name}`, labels },
    rules,
  };
}
