/** The types of conditions, by the kind that carries them. */

/** On MemberClusters. The hub's clusters stage decides the first two; the others it copies from the InternalMemberCluster. */
export const memberClusterConditions = {
  readyToJoin: 'ReadyToJoin',
  joined: 'Joined',
  propertyProviderStarted: 'ClusterPropertyProviderStarted',
  propertyCollectionSucceeded: 'ClusterPropertyCollectionSucceeded',
  namespaceCollectionSucceeded: 'NamespaceCollectionSucceeded',
} as const;

/** On InternalMemberClusters, by the member's heartbeat stage; cost providers add the last one. */
export const internalMemberClusterConditions = {
  propertyProviderStarted: 'ClusterPropertyProviderStarted',
  propertyCollectionSucceeded: 'ClusterPropertyCollectionSucceeded',
  namespaceCollectionSucceeded: 'NamespaceCollectionSucceeded',
  costCollectionSucceeded: 'AKSClusterCostPropertiesCollectionSucceeded',
} as const;

/** In the agent status of an InternalMemberCluster, by the member's heartbeat stage; the hub copies them to the MemberCluster. */
export const agentConditions = { joined: 'Joined', healthy: 'Healthy' } as const;

/** On ClusterProfiles, by the hub's clusters stage. */
export const clusterProfileConditions = { controlPlaneHealthy: 'ControlPlaneHealthy' } as const;

/** On Works, by the member's apply stage. */
export const workConditions = {
  applied: 'Applied',
  available: 'Available',
  diffReported: 'DiffReported',
  statusTrimmed: 'StatusTrimmed',
} as const;

/** On each manifest of a Work, by the member's apply stage. */
export const manifestConditions = {
  applied: 'Applied',
  available: 'Available',
  diffReported: 'DiffReported',
} as const;
