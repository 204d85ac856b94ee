export * from './annotations.ts';
export {
  internalMemberClusters,
  memberClusters,
  type AgentStatus,
  type InternalMemberCluster,
  type InternalMemberClusterSpec,
  type InternalMemberClusterStatus,
  type MemberCluster,
  type MemberClusterSpec,
  type MemberClusterStatus,
  type MemberIdentity,
  type PropertyValue,
  type ResourceUsage,
  type Taint,
} from './cluster/member-cluster.ts';
export * from './condition-types.ts';
export * from './conditions.ts';
export { definitions, hubDefinitions, memberDefinitions, networkingDefinitions } from './definitions.ts';
export * from './finalizers.ts';
export { clusterApi, inventoryApi, networkingApi, ocmGroup, placementApi } from './groups.ts';
export * from './labels.ts';
export {
  clusterProfiles,
  type AccessProvider,
  type ClusterProfile,
  type ClusterProfileSpec,
  type ClusterProfileStatus,
} from './multicluster/cluster-profile.ts';
export * from './names.ts';
export {
  defaultClusterSet,
  globalClusterSet,
  managedClusterSetBindings,
  managedClusterSets,
  type ManagedClusterSelector,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type ManagedClusterSetBindingSpec,
  type ManagedClusterSetBindingStatus,
  type ManagedClusterSetSpec,
  type ManagedClusterSetStatus,
} from './ocm/cluster-set.ts';
export {
  availabilityTaints,
  clusterClaims,
  managedClusters,
  type ClusterClaim,
  type ClusterClaimSpec,
  type ManagedCluster,
  type ManagedClusterSpec,
  type ManagedClusterStatus,
  type ManagedClusterTaint,
  type ReportedClaim,
  type TaintEffect,
} from './ocm/managed-cluster.ts';
export {
  addOnPlacementScores,
  ocmPlacements,
  placementDecisions,
  type AddOnPlacementScore,
  type AddOnPlacementScoreStatus,
  type ClaimSelector,
  type ClusterPredicate,
  type DecisionGroup,
  type DecisionGroupStatus,
  type DecisionStrategy,
  type OcmPlacement,
  type OcmPlacementSpec,
  type OcmPlacementStatus,
  type OcmToleration,
  type PlacementDecision,
  type PlacementDecisionStatus,
  type PrioritizerConfiguration,
  type PrioritizerPolicy,
  type ScoreCoordinate,
  type SelectedCluster,
  type SpreadConstraint,
} from './ocm/ocm-placement.ts';
export type { ApplyStrategy, PatchDetail, ReportBackStrategy } from './parts/apply-strategy.ts';
export type { Condition } from './parts/condition.ts';
export {
  clusterResourceBindings,
  resourceBindings,
  type Binding,
  type BindingSpec,
  type BindingState,
  type BindingStatus,
} from './placement/binding.ts';
export {
  clusterResourcePlacementDisruptionBudgets,
  clusterResourcePlacementEvictions,
  type DisruptionBudget,
  type DisruptionBudgetSpec,
  type Eviction,
  type EvictionSpec,
  type EvictionStatus,
} from './placement/disruption/disruption.ts';
export { clusterFamily, families, namespacedFamily, type PlacementFamily } from './placement/families.ts';
export {
  clusterOverrides,
  clusterResourceOverrides,
  clusterResourceOverrideSnapshots,
  namespacedOverrides,
  overrideFamilies,
  resourceOverrides,
  resourceOverrideSnapshots,
  type ClusterResourceOverride,
  type ClusterResourceOverrideSnapshot,
  type ClusterResourceOverrideSnapshotSpec,
  type ClusterResourceOverrideSpec,
  type Override,
  type OverrideFamily,
  type OverrideSnapshot,
  type PlacementReference,
  type ResourceOverride,
  type ResourceOverrideSnapshot,
  type ResourceOverrideSnapshotSpec,
  type ResourceOverrideSpec,
} from './placement/overrides/override.ts';
export type { JsonPatchOverride, OverridePolicy, OverrideRule } from './placement/overrides/override-schema.ts';
export type {
  ClusterDecision,
  PlacementPolicy,
  PlacementType,
  PreferredTerm,
  Toleration,
  TopologySpreadConstraint,
} from './placement/parts/placement-policy.ts';
export type {
  ClusterSelector,
  ClusterSelectorTerm,
  PropertyRequirement,
  PropertySorter,
  ResourceSelector,
} from './placement/parts/selectors.ts';
export type { NamespacedName, PerClusterStatus, PlacementStatus } from './placement/parts/placement-status.ts';
export type {
  DiffedPlacement,
  DriftedPlacement,
  EnvelopeReference,
  FailedPlacement,
  PlacedResource,
} from './placement/parts/resource-outcomes.ts';
export type { DeleteStrategy, RollingUpdate, RolloutStrategy } from './placement/parts/rollout-strategy.ts';
export {
  clusterResourceEnvelopes,
  clusterResourcePlacements,
  clusterResourcePlacementStatuses,
  resourceEnvelopes,
  resourcePlacements,
  type Placement,
  type PlacementSpec,
  type PlacementStatusMirror,
  type ResourceEnvelope,
} from './placement/placement.ts';
export {
  clusterResourceSnapshots,
  clusterSchedulingPolicySnapshots,
  resourceSnapshots,
  schedulingPolicySnapshots,
  type PolicySnapshot,
  type PolicySnapshotSpec,
  type PolicySnapshotStatus,
  type ResourceSnapshot,
  type ResourceSnapshotSpec,
  type ResourceSnapshotStatus,
} from './placement/snapshots.ts';
export {
  approvalRequests,
  clusterApprovalRequests,
  clusterStagedUpdateRuns,
  clusterStagedUpdateStrategies,
  stagedUpdateRuns,
  stagedUpdateStrategies,
  type ApprovalRequest,
  type ApprovalRequestSpec,
  type ApprovalRequestStatus,
  type UpdateRun,
  type UpdateRunSpec,
  type UpdateRunState,
  type UpdateRunStatus,
  type UpdateStrategy,
} from './placement/staged-update/staged-update.ts';
export type {
  ClusterUpdatingStatus,
  StageStatus,
  StageTaskStatus,
} from './placement/staged-update/update-run-schema.ts';
export type {
  StageTask,
  StageTaskType,
  UpdatePlan,
  UpdateStage,
} from './placement/staged-update/update-strategy-schema.ts';
export * from './reasons.ts';
export { reportLimits } from './report-limits.ts';
export {
  appliedWorks,
  works,
  type AppliedResource,
  type AppliedWork,
  type AppliedWorkSpec,
  type AppliedWorkStatus,
  type BackReportedStatus,
  type DiffDetails,
  type DriftDetails,
  type ManifestCondition,
  type Work,
  type WorkResourceIdentifier,
  type WorkSpec,
  type WorkStatus,
} from './work/work.ts';
