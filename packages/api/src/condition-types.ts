/** The types of conditions, by the kind that carries them. */
import type { Kind } from '@flotilla/kube';

/** On MemberClusters. The hub's clusters stage decides the first three; the others it copies from the InternalMemberCluster. */
export const memberClusterConditions = {
  readyToJoin: 'ReadyToJoin',
  joined: 'Joined',
  /** Only while the member reports more than the hub keeps; KubeFleet has no such condition. */
  statusTrimmed: 'StatusTrimmed',
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

/** On policy snapshots, by the scheduling stage. */
export const policySnapshotConditions = { scheduled: 'Scheduled' } as const;

/** On bindings of both families, in this order on the way: the first by the rollout stage, the others by the works stage. */
export const bindingConditions = {
  rolloutStarted: 'RolloutStarted',
  overridden: 'Overridden',
  workSynchronized: 'WorkSynchronized',
  applied: 'Applied',
  available: 'Available',
  diffReported: 'DiffReported',
} as const;

/** Of one cluster in the status of a placement, by the placement stage. */
export const perClusterConditions = { scheduled: 'Scheduled', ...bindingConditions } as const;

/** Of a placement itself, by the placement stage; the last for placements of the whole hub only. */
const placementAspects = { ...perClusterConditions, statusSynced: 'StatusSynced' } as const;

export type PlacementAspect = keyof typeof placementAspects;

/** `ClusterResourcePlacementScheduled`: on the placement itself the type begins with the kind. */
export function placementConditionType({ kind }: Kind, aspect: PlacementAspect): string {
  return `${kind}${placementAspects[aspect]}`;
}

/** On evictions, by the eviction stage. */
export const evictionConditions = { valid: 'Valid', executed: 'Executed' } as const;

/** On update runs, by the staged-update stage, as all that follow but for one. */
export const updateRunConditions = {
  initialized: 'Initialized',
  progressing: 'Progressing',
  succeeded: 'Succeeded',
} as const;

/** Of one stage in the status of an update run. */
export const updateStageConditions = { progressing: 'Progressing', succeeded: 'Succeeded' } as const;

/** Of one cluster in the status of an update run. */
export const clusterUpdatingConditions = { started: 'Started', succeeded: 'Succeeded' } as const;

/** Of a task before or after a stage. */
export const stageTaskConditions = {
  approvalRequestCreated: 'ApprovalRequestCreated',
  approvalRequestApproved: 'ApprovalRequestApproved',
  waitTimeElapsed: 'WaitTimeElapsed',
} as const;

/** On approval requests; the first is written by whoever approves. */
export const approvalRequestConditions = { approved: 'Approved', approvalAccepted: 'ApprovalAccepted' } as const;
