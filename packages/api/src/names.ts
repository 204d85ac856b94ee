/** The namespace of the fleet's own objects, on the hub and on members. */
export const fleetNamespace = 'fleet-system';

/** Namespaces with these prefixes belong to the fleet or to Kubernetes: users cannot place objects from them. */
export const reservedNamespacePrefixes = ['fleet-', 'kube-'] as const;

/** The member's namespace on the hub: the only one that its agents can access. */
export function memberNamespace(member: string): string {
  return `fleet-member-${member}`;
}

export function memberRole(member: string): string {
  return `fleet-role-${member}`;
}

export function memberRoleBinding(member: string): string {
  return `fleet-rolebinding-${member}`;
}

/** The field manager of the hub's clusters controller. */
export const memberClusterFieldManager = 'member-cluster-controller';

/** The field manager of the member's apply controller. */
export const workFieldManager = 'work-api-agent';

/** The cluster manager of our ClusterProfiles, and the name of their only access provider. */
export const clusterManagerName = 'KubeFleet';

/** The agents in `status.agentStatus`. Ours is the first; the others belong to KubeFleet's networking. */
export const agentTypes = {
  member: 'MemberAgent',
  multiClusterService: 'MultiClusterServiceAgent',
  serviceExportImport: 'ServiceExportImportAgent',
} as const;

/**
 * The message of `Joined` that our agents report. It says that they know the annotation for deletions without clean-up;
 * other agents report no message.
 */
export const abandoningAgentMessage =
  'joined; deletions of Works with delete-propagation Abandon leave objects in place';

/** `spec.state` of an InternalMemberCluster. */
export const memberStates = { join: 'Join', leave: 'Leave' } as const;

/** Names of member properties, for placements to select by. */
export const propertyNames = {
  nodeCount: 'kubernetes-fleet.io/node-count',
  kubernetesVersion: 'k8s.io/k8s-version',
  clusterEntryPoint: 'k8s.io/cluster-entrypoint',
  certificateAuthorityData: 'k8s.io/cluster-certificate-authority-data',
  perCpuCoreCost: 'kubernetes.azure.com/per-cpu-core-cost',
  perGbMemoryCost: 'kubernetes.azure.com/per-gb-memory-cost',
} as const;

/** The number of nodes of one machine size. */
export function skuCountProperty(sku: string): string {
  return `kubernetes.azure.com/vm-sizes/${sku}/count`;
}

/** Properties with this prefix are read from the resource usage: `total-cpu`, `available-memory`. */
export const resourcePropertyPrefix = 'resources.kubernetes-fleet.io/';

export function policySnapshotName(placement: string, index: number): string {
  return `${placement}-${index}`;
}

/** The first resource snapshot of a group. */
export function resourceSnapshotName(placement: string, index: number): string {
  return `${placement}-${index}-snapshot`;
}

/** A further resource snapshot of a group; the subindex counts from 0. */
export function furtherSnapshotName(placement: string, index: number, subindex: number): string {
  return `${placement}-${index}-${subindex}`;
}

/** The last stage of an update run, which removes the resources from clusters that are no longer chosen. */
export const deleteStageName = 'kubernetes-fleet.io/deleteStage';

export function approvalRequestName(run: string, place: 'before' | 'after', stage: string): string {
  return `${run}-${place}-${stage}`;
}
