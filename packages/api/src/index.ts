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
export { definitions } from './definitions.ts';
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
export * from './reasons.ts';
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
