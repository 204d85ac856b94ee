/**
 * `ReadyToJoin`, `Joined` and `StatusTrimmed` of a MemberCluster; written by the hub's clusters controller. Events have
 * the same reasons.
 */
export const memberClusterReasons = {
  readyToJoin: 'MemberClusterReadyToJoin',
  notReadyToJoin: 'MemberClusterNotReadyToJoin',
  joined: 'MemberClusterJoined',
  left: 'MemberClusterLeft',
  joinStateUnknown: 'MemberClusterJoinStateUnknown',
  oversized: 'Oversized',
  managedClusterExists: 'ManagedClusterExists',
} as const;

/** `Joined` and `Healthy` of an agent; written by the member's heartbeat. */
export const agentReasons = {
  joined: 'InternalMemberClusterJoined',
  failedToJoin: 'InternalMemberClusterFailedToJoin',
  left: 'InternalMemberClusterLeft',
  failedToLeave: 'InternalMemberClusterFailedToLeave',
  healthy: 'InternalMemberClusterHealthy',
  unhealthy: 'InternalMemberClusterUnhealthy',
} as const;

/** `ClusterPropertyProviderStarted`; written by the member's heartbeat. */
export const propertyProviderReasons = {
  started: 'Started',
  failedToStart: 'FailedToStart',
  timedOut: 'TimedOut',
} as const;

/**
 * `ClusterPropertyCollectionSucceeded`; written by the member's heartbeat. KubeFleet's providers cannot fail, ours can.
 */
export const propertyCollectionReasons = {
  collected: 'PropertiesCollected',
  timedOut: 'TimedOut',
  tooManyCalls: 'TooManyCalls',
  failed: 'FailedToCollect',
} as const;

/** `NamespaceCollectionSucceeded`; written by the member's property providers. */
export const namespaceCollectionReasons = { succeeded: 'Succeeded', degraded: 'Degraded' } as const;

/** `AKSClusterCostPropertiesCollectionSucceeded`; written by the member's property providers. */
export const costCollectionReasons = {
  calculated: 'CostsCalculated',
  degraded: 'CostsCalculationDegraded',
  failed: 'CostsCalculationFailed',
} as const;

/** `ControlPlaneHealthy` of a ClusterProfile; written by the hub's cluster-profile controller. */
export const clusterProfileReasons = {
  noStatus: 'MemberAgentReportedNoStatus',
  noHealth: 'MemberAgentReportedNoHealthInfo',
  heartbeatLost: 'MemberAgentHeartbeatLost',
  unhealthy: 'MemberClusterAPIServerUnhealthy',
  healthy: 'MemberClusterAPIServerHealthy',
} as const;

/** `Applied` of a manifest; written by the member's apply controller. All but the applied outcomes are failures. */
export const manifestAppliedReasons = {
  preparing: 'PreparingToProcess',
  decodingErred: 'DecodingErred',
  foundGenerateName: 'FoundGenerateName',
  duplicated: 'Duplicated',
  failedToFind: 'FailedToFindObjInMemberCluster',
  failedToTakeOver: 'FailedToTakeOver',
  notTakenOver: 'NotTakenOver',
  failedToRunDriftDetection: 'FailedToRunDriftDetection',
  foundDrifts: 'FoundDrifts',
  foundDriftsInDegradedMode: 'FoundDriftsInDegradedMode',
  applyFailed: 'ManifestApplyFailed',
  applied: 'Applied',
  appliedWithFailedDriftDetection: 'AppliedWithFailedDriftDetection',
} as const;

/** `Available` of a manifest; written by the member's apply controller. */
export const manifestAvailableReasons = {
  available: 'Available',
  notAvailableYet: 'ManifestNotAvailableYet',
  notTrackable: 'NotTrackable',
  failed: 'Failed',
} as const;

/** `DiffReported` of a manifest; written by the member's apply controller. */
export const manifestDiffReportedReasons = {
  noDiffFound: 'NoDiffFound',
  foundDiff: 'FoundDiff',
  foundDiffInDegradedMode: 'FoundDiffInDegradedMode',
  failedToReportDiff: 'FailedToReportDiff',
} as const;

/**
 * All conditions of a Work. The hub's rollout controller waits for `notTrackable`, whose spelling differs from the
 * others for historical reasons.
 */
export const workReasons = {
  allApplied: 'AllManifestsApplied',
  someNotApplied: 'SomeManifestsAreNotApplied',
  allAvailable: 'AllManifestsAvailable',
  someNotAvailable: 'SomeManifestsAreNotAvailable',
  notTrackable: 'WorkNotTrackable',
  allDiffReported: 'AllManifestsDiffReported',
  someDiffNotReported: 'SomeManifestsHaveNotReportedDiff',
  oversized: 'Oversized',
} as const;

/** `Scheduled` of a policy snapshot; written by the scheduler. */
export const policySnapshotReasons = {
  fulfilled: 'SchedulingPolicyFulfilled',
  unfulfilled: 'SchedulingPolicyUnfulfilled',
} as const;

/** All conditions of a binding; written by the rollout and works controllers. */
export const bindingReasons = {
  rolloutStarted: 'RolloutStarted',
  rolloutNotStarted: 'RolloutNotStartedYet',
  overridden: 'OverriddenSucceeded',
  noOverride: 'NoOverrideSpecified',
  overrideFailed: 'OverriddenFailed',
  workSyncFailed: 'SyncWorkFailed',
  workSynced: 'AllWorkSynced',
  applyInProgress: 'ApplyInProgress',
  notAllApplied: 'NotAllWorkHaveBeenApplied',
  allApplied: 'AllWorkHaveBeenApplied',
  notAllAvailable: 'NotAllWorkAreAvailable',
  notAllTrackable: 'NotAllWorkAreAvailabilityTrackable',
  allAvailable: 'AllWorkAreAvailable',
  diffReportInProgress: 'DiffReportInProgress',
  notAllDiffReported: 'NotAllWorkHaveDiffReported',
  allDiffReported: 'AllWorkHaveDiffReported',
} as const;

/** All conditions of a placement, and of a cluster in its status where its binding says nothing; written by the placement controller. */
export const placementReasons = {
  schedulePending: 'SchedulePending',
  invalidSelectors: 'InvalidResourceSelectors',
  scheduled: 'Scheduled',
  scheduleFailed: 'ScheduleFailed',
  rolloutUnknown: 'RolloutStartedUnknown',
  rolloutExternal: 'RolloutControlledByExternalController',
  rolloutNotStarted: 'RolloutNotStartedYet',
  rolloutStarted: 'RolloutStarted',
  overridePending: 'OverriddenPending',
  overrideFailed: 'OverriddenFailed',
  overridden: 'OverriddenSucceeded',
  noOverride: 'NoOverrideSpecified',
  workSyncUnknown: 'WorkSynchronizedUnknown',
  workNotSynced: 'WorkNotSynchronizedYet',
  workSynced: 'WorkSynchronized',
  applyPending: 'ApplyPending',
  applyFailed: 'ApplyFailed',
  applied: 'ApplySucceeded',
  availableUnknown: 'ResourceAvailableUnknown',
  notAvailable: 'ResourceNotAvailableYet',
  available: 'ResourceAvailable',
  diffPending: 'DiffReportingPending',
  diffIncomplete: 'DiffReportingIncompleteOrFailed',
  diffReported: 'DiffReportingCompleted',
  statusSynced: 'StatusSyncSucceeded',
  statusSyncFailed: 'StatusSyncFailed',
  oversized: 'Oversized',
} as const;

/** All conditions of an update run; written by the update-runs controller. KubeFleet cannot abandon a run. */
export const updateRunReasons = {
  initialized: 'UpdateRunInitializedSuccessfully',
  initializationFailed: 'UpdateRunInitializedFailed',
  progressing: 'UpdateRunProgressing',
  waiting: 'UpdateRunWaiting',
  stuck: 'UpdateRunStuck',
  stopping: 'UpdateRunStopping',
  stopped: 'UpdateRunStopped',
  succeeded: 'UpdateRunSucceeded',
  failed: 'UpdateRunFailed',
  abandoned: 'UpdateRunAbandoned',
} as const;

/** All conditions of a stage in the status of an update run. */
export const updateStageReasons = {
  started: 'StageUpdatingStarted',
  waiting: 'StageUpdatingWaiting',
  stopping: 'StageUpdatingStopping',
  stopped: 'StageUpdatingStopped',
  succeeded: 'StageUpdatingSucceeded',
  failed: 'StageUpdatingFailed',
  skipped: 'StageUpdatingSkippedNoClusters',
} as const;

/** All conditions of a cluster in the status of an update run. */
export const clusterUpdatingReasons = {
  started: 'ClusterUpdatingStarted',
  succeeded: 'ClusterUpdatingSucceeded',
  failed: 'ClusterUpdatingFailed',
} as const;

/** All conditions of a task before or after a stage. */
export const stageTaskReasons = {
  requested: 'StageTaskApprovalRequestCreated',
  approved: 'StageTaskApprovalRequestApproved',
  waitTimeElapsed: 'AfterStageTaskWaitTimeElapsed',
} as const;

/** `ApprovalAccepted` of an approval request; written by the update-runs controller. */
export const approvalRequestReasons = { accepted: 'ApprovalRequestApprovalAccepted' } as const;

/** All conditions of an eviction; written by the evictions controller. */
export const evictionReasons = {
  valid: 'ClusterResourcePlacementEvictionValid',
  invalid: 'ClusterResourcePlacementEvictionInvalid',
  executed: 'ClusterResourcePlacementEvictionExecuted',
  notExecuted: 'ClusterResourcePlacementEvictionNotExecuted',
} as const;

/** The conditions of a ManagedCluster; those of OCM's registration. */
export const managedClusterReasons = {
  accepted: 'HubClusterAdminAccepted',
  joined: 'ManagedClusterJoined',
  available: 'ManagedClusterAvailable',
  serverUnavailable: 'ManagedClusterKubeAPIServerUnavailable',
  leaseStopped: 'ManagedClusterLeaseUpdateStopped',
} as const;

/** `ClusterSetEmpty` of a ManagedClusterSet. */
export const clusterSetReasons = { noMatch: 'NoClusterMatched', selected: 'ClustersSelected' } as const;

/** `Bound` of a ManagedClusterSetBinding. */
export const clusterSetBindingReasons = { bound: 'ClusterSetBound', notFound: 'ClusterSetNotFound' } as const;

/** `PlacementMisconfigured` of an OCM Placement. */
export const placementMisconfiguredReasons = {
  misconfigured: 'Misconfigured',
  succeeded: 'Succeedconfigured',
} as const;

/** `PlacementSatisfied` of an OCM Placement. */
export const placementSatisfiedReasons = {
  noBindings: 'NoManagedClusterSetBindings',
  noIntersection: 'NoIntersection',
  allSetsEmpty: 'AllManagedClusterSetsEmpty',
  noMatch: 'NoManagedClusterMatched',
  allScheduled: 'AllDecisionsScheduled',
  notAllScheduled: 'NotAllDecisionsScheduled',
} as const;
