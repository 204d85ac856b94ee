export * from './annotations.ts';
export {
  internalMemberClusters,
  type InternalMemberCluster,
  type InternalMemberClusterSpec,
  type InternalMemberClusterStatus,
} from './cluster/internal-member-cluster.ts';
export {
  memberClusters,
  type AgentStatus,
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
export { definitions, hubDefinitions, memberDefinitions } from './definitions.ts';
export * from './finalizers.ts';
export { clusterApi, inventoryApi, placementApi } from './groups.ts';
export * from './labels.ts';
export {
  clusterProfiles,
  type AccessProvider,
  type ClusterProfile,
  type ClusterProfileSpec,
  type ClusterProfileStatus,
} from './multicluster/cluster-profile.ts';
export * from './names.ts';
export type { ApplyStrategy } from './parts/apply-strategy.ts';
export type { Condition } from './parts/condition.ts';
export type { PatchDetail } from './parts/patch-detail.ts';
export type { ReportBackStrategy } from './parts/report-back-strategy.ts';
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
  type DisruptionBudget,
  type DisruptionBudgetSpec,
} from './placement/disruption/disruption-budget.ts';
export {
  clusterResourcePlacementEvictions,
  type Eviction,
  type EvictionSpec,
  type EvictionStatus,
} from './placement/disruption/eviction.ts';
export { clusterFamily, families, namespacedFamily, type PlacementFamily } from './placement/families.ts';
export {
  clusterOverrides,
  namespacedOverrides,
  overrideFamilies,
  type Override,
  type OverrideFamily,
  type OverrideSnapshot,
} from './placement/overrides/override-families.ts';
export type { JsonPatchOverride, OverridePolicy, OverrideRule } from './placement/overrides/override-policy.ts';
export {
  clusterResourceOverrideSnapshots,
  resourceOverrideSnapshots,
  type ClusterResourceOverrideSnapshot,
  type ClusterResourceOverrideSnapshotSpec,
  type ResourceOverrideSnapshot,
  type ResourceOverrideSnapshotSpec,
} from './placement/overrides/override-snapshot.ts';
export {
  clusterResourceOverrides,
  resourceOverrides,
  type ClusterResourceOverride,
  type ClusterResourceOverrideSpec,
  type PlacementReference,
  type ResourceOverride,
  type ResourceOverrideSpec,
} from './placement/overrides/override.ts';
export type { ClusterDecision } from './placement/parts/cluster-decision.ts';
export type {
  ClusterSelector,
  ClusterSelectorTerm,
  PropertyRequirement,
  PropertySorter,
} from './placement/parts/cluster-selector.ts';
export type { NamespacedName } from './placement/parts/namespaced-name.ts';
export type { EnvelopeReference, PlacedResource } from './placement/parts/placed-resource.ts';
export type {
  PlacementPolicy,
  PlacementType,
  PreferredTerm,
  Toleration,
  TopologySpreadConstraint,
} from './placement/parts/placement-policy.ts';
export type { PerClusterStatus, PlacementStatus } from './placement/parts/placement-status.ts';
export type { DiffedPlacement, DriftedPlacement, FailedPlacement } from './placement/parts/resource-outcomes.ts';
export type { ResourceSelector } from './placement/parts/resource-selector.ts';
export type { DeleteStrategy, RollingUpdate, RolloutStrategy } from './placement/parts/rollout-strategy.ts';
export { clusterResourcePlacementStatuses, type PlacementStatusMirror } from './placement/placement-status-mirror.ts';
export {
  clusterResourcePlacements,
  resourcePlacements,
  type Placement,
  type PlacementSpec,
} from './placement/placement.ts';
export {
  clusterSchedulingPolicySnapshots,
  schedulingPolicySnapshots,
  type PolicySnapshot,
  type PolicySnapshotSpec,
  type PolicySnapshotStatus,
} from './placement/policy-snapshot.ts';
export { clusterResourceEnvelopes, resourceEnvelopes, type ResourceEnvelope } from './placement/resource-envelope.ts';
export {
  clusterResourceSnapshots,
  resourceSnapshots,
  type ResourceSnapshot,
  type ResourceSnapshotSpec,
  type ResourceSnapshotStatus,
} from './placement/resource-snapshot.ts';
export {
  approvalRequests,
  clusterApprovalRequests,
  type ApprovalRequest,
  type ApprovalRequestSpec,
  type ApprovalRequestStatus,
} from './placement/staged-update/approval-request.ts';
export type { ClusterUpdatingStatus, StageStatus, StageTaskStatus } from './placement/staged-update/stage-status.ts';
export {
  clusterStagedUpdateRuns,
  stagedUpdateRuns,
  type UpdateRun,
  type UpdateRunSpec,
  type UpdateRunState,
  type UpdateRunStatus,
} from './placement/staged-update/update-run.ts';
export type { StageTask, StageTaskType, UpdatePlan, UpdateStage } from './placement/staged-update/update-stage.ts';
export {
  clusterStagedUpdateStrategies,
  stagedUpdateStrategies,
  type UpdateStrategy,
} from './placement/staged-update/update-strategy.ts';
export * from './reasons.ts';
export { reportLimits } from './report-limits.ts';
export {
  appliedWorks,
  type AppliedResource,
  type AppliedWork,
  type AppliedWorkSpec,
  type AppliedWorkStatus,
} from './work/applied-work.ts';
export {
  works,
  type BackReportedStatus,
  type DiffDetails,
  type DriftDetails,
  type ManifestCondition,
  type Work,
  type WorkResourceIdentifier,
  type WorkSpec,
  type WorkStatus,
} from './work/work.ts';
