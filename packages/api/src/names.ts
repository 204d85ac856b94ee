/** How the objects of the fleet are called, and the words that several stages must agree on. */

/** Where the fleet's own objects are, on the hub and on members. */
export const fleetNamespace = 'fleet-system';

/** Namespaces that begin so belong to the fleet or to Kubernetes: nothing of users is placed from them. */
export const reservedNamespacePrefixes = ['fleet-', 'kube-'] as const;

/** The member's namespace on the hub: the only one that its agents can reach. */
export function memberNamespace(member: string): string {
  return `fleet-member-${member}`;
}

/** The Role in the member's namespace. */
export function memberRole(member: string): string {
  return `fleet-role-${member}`;
}

/** The RoleBinding in the member's namespace. */
export function memberRoleBinding(member: string): string {
  return `fleet-rolebinding-${member}`;
}

/** As whom the hub's clusters stage writes. */
export const memberClusterFieldManager = 'member-cluster-controller';

/** As whom the member's apply stage creates, patches and applies. */
export const workFieldManager = 'work-api-agent';

/** Who manages the clusters that our ClusterProfiles speak of, and the name of their one access provider. */
export const clusterManagerName = 'KubeFleet';

/** Which agent an entry of `status.agentStatus` is of. Ours is the first; the others are of KubeFleet's networking. */
export const agentTypes = {
  member: 'MemberAgent',
  multiClusterService: 'MultiClusterServiceAgent',
  serviceExportImport: 'ServiceExportImportAgent',
} as const;

/** What the hub asks of agents in `spec.state` of an InternalMemberCluster. */
export const memberStates = { join: 'Join', leave: 'Leave' } as const;

/** Properties of members, by the names that placements choose by. */
export const propertyNames = {
  nodeCount: 'kubernetes-fleet.io/node-count',
  kubernetesVersion: 'k8s.io/k8s-version',
  clusterEntryPoint: 'k8s.io/cluster-entrypoint',
  certificateAuthorityData: 'k8s.io/cluster-certificate-authority-data',
  perCpuCoreCost: 'kubernetes.azure.com/per-cpu-core-cost',
  perGbMemoryCost: 'kubernetes.azure.com/per-gb-memory-cost',
} as const;

/** How many nodes of one machine size a member has. */
export function skuCountProperty(sku: string): string {
  return `kubernetes.azure.com/vm-sizes/${sku}/count`;
}

/** Properties that begin so are not reported but read from the resource usage: `total-cpu`, `available-memory`. */
export const resourcePropertyPrefix = 'resources.kubernetes-fleet.io/';
