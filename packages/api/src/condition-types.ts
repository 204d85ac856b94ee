/** The condition types of each kind. */
import type { Kind } from '@flotilla/kube';

/**
 * On MemberClusters. The hub's clusters controller decides the first three, and copies the others from the
 * InternalMemberCluster.
 */
export const memberClusterConditions = {
  readyToJoin: 'ReadyToJoin',
  joined: 'Joined',
  /** Set while the member reports more than the hub keeps. KubeFleet has no such condition. */
  statusTrimmed: 'StatusTrimmed',
  /** Set while a ManagedCluster of others has the member's name. KubeFleet has no such condition. */
  mirrored: 'ManagedClusterMirrored',
  propertyProviderStarted: 'ClusterPropertyProviderStarted',
  propertyCollectionSucceeded: 'ClusterPropertyCollectionSucceeded',
  namespaceCollectionSucceeded: 'NamespaceCollectionSucceeded',
} as const;

/** On InternalMemberClusters, by the member's heartbeat; cost providers add the last one. */
export const internalMemberClusterConditions = {
  propertyProviderStarted: 'ClusterPropertyProviderStarted',
  propertyCollectionSucceeded: 'ClusterPropertyCollectionSucceeded',
  namespaceCollectionSucceeded: 'NamespaceCollectionSucceeded',
  costCollectionSucceeded: 'AKSClusterCostPropertiesCollectionSucceeded',
} as const;

/**
 * In the agent status of an InternalMemberCluster, by the member's heartbeat. The hub copies them to the MemberCluster.
 */
export const agentConditions = { joined: 'Joined', healthy: 'Healthy' } as const;

/** On ClusterProfiles, by the hub's cluster-profile controller. */
export const clusterProfileConditions = { controlPlaneHealthy: 'ControlPlaneHealthy' } as const;

/** On Works, by the member's apply controller. */
export const workConditions = {
  applied: 'Applied',
  available: 'Available',
  diffReported: 'DiffReported',
  statusTrimmed: 'StatusTrimmed',
} as const;

/** On each manifest of a Work, by the member's apply controller. */
export const manifestConditions = {
  applied: 'Applied',
  available: 'Available',
  diffReported: 'DiffReported',
} as const;

/** On policy snapshots, by the scheduler. */
export const policySnapshotConditions = { scheduled: 'Scheduled' } as const;

/**
 * On bindings of both families, in this order over time: the first by the rollout controller, the others by the works
 * controller.
 */
export const bindingConditions = {
  rolloutStarted: 'RolloutStarted',
  overridden: 'Overridden',
  workSynchronized: 'WorkSynchronized',
  applied: 'Applied',
  available: 'Available',
  diffReported: 'DiffReported',
} as const;

/** On one cluster in the status of a placement, by the placement controller. */
export const perClusterConditions = { scheduled: 'Scheduled', ...bindingConditions } as const;

/**
 * On a placement itself, by the placement controller. `statusSynced` is for cluster-scoped placements only. `statusTrimmed` is
 * set while the status leaves something out to fit into an object; KubeFleet has no such condition.
 */
const placementAspects = {
  ...perClusterConditions,
  statusSynced: 'StatusSynced',
  statusTrimmed: 'StatusTrimmed',
} as const;

export type PlacementAspect = keyof typeof placementAspects;

/** `ClusterResourcePlacementScheduled`: on the placement itself the kind is a prefix of the type. */
export function placementConditionType({ kind }: Kind, aspect: PlacementAspect): string {
  return `${kind}${placementAspects[aspect]}`;
}

/** On evictions, by the eviction controller. */
export const evictionConditions = { valid: 'Valid', executed: 'Executed' } as const;

/** On update runs, by the staged-update controller. */
export const updateRunConditions = {
  initialized: 'Initialized',
  progressing: 'Progressing',
  succeeded: 'Succeeded',
} as const;

/** On one stage in the status of an update run, by the staged-update controller. */
export const updateStageConditions = { progressing: 'Progressing', succeeded: 'Succeeded' } as const;

/** On one cluster in the status of an update run, by the staged-update controller. */
export const clusterUpdatingConditions = { started: 'Started', succeeded: 'Succeeded' } as const;

/** On a task before or after a stage, by the staged-update controller. */
export const stageTaskConditions = {
  approvalRequestCreated: 'ApprovalRequestCreated',
  approvalRequestApproved: 'ApprovalRequestApproved',
  waitTimeElapsed: 'WaitTimeElapsed',
} as const;

/** On approval requests. The approver writes the first, the staged-update controller the second. */
export const approvalRequestConditions = { approved: 'Approved', approvalAccepted: 'ApprovalAccepted' } as const;

/** On ManagedClusters, by the managed-clusters controllers, or by OCM's registration. */
export const managedClusterConditions = {
  hubAccepted: 'HubAcceptedManagedCluster',
  joined: 'ManagedClusterJoined',
  available: 'ManagedClusterConditionAvailable',
} as const;

/** On ManagedClusterSets, by the cluster-sets controller. */
export const clusterSetConditions = { empty: 'ClusterSetEmpty' } as const;

/** On ManagedClusterSetBindings, by the cluster-sets controller. */
export const clusterSetBindingConditions = { bound: 'Bound' } as const;

/** On OCM Placements, by the ocm-placement controller. */
export const ocmPlacementConditions = {
  misconfigured: 'PlacementMisconfigured',
  satisfied: 'PlacementSatisfied',
} as const;
