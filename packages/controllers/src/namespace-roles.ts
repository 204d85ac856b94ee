/** What users of a namespace may do with the fleet's kinds: added to Kubernetes' roles view, edit and admin. */
import {
  approvalRequests,
  clusterResourcePlacementStatuses,
  placementApi,
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
      rule([`${approvalRequests.plural}/status`], ['get', 'update', 'patch']),
    ],
  ),
];

function rule(resources: string[], verbs: string[]) {
  return { apiGroups: [placementApi.group], resources, verbs };
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
