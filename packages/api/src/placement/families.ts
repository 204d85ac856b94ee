/**
 * Placements exist twice: cluster-scoped and namespaced. A family is the set of kinds for one of the two. Controllers
 * are written once, for a family.
 */
import type { Kind } from '@flotilla/kube';
import { clusterResourceBindings, resourceBindings, type Binding } from './binding.ts';
import { clusterResourcePlacements, resourcePlacements, type Placement } from './placement.ts';
import {
  clusterResourceSnapshots,
  clusterSchedulingPolicySnapshots,
  resourceSnapshots,
  schedulingPolicySnapshots,
  type PolicySnapshot,
  type ResourceSnapshot,
} from './snapshots.ts';
import {
  approvalRequests,
  clusterApprovalRequests,
  clusterStagedUpdateRuns,
  clusterStagedUpdateStrategies,
  stagedUpdateRuns,
  stagedUpdateStrategies,
  type ApprovalRequest,
  type UpdateRun,
  type UpdateStrategy,
} from './staged-update/staged-update.ts';

export interface PlacementFamily {
  readonly scope: 'Cluster' | 'Namespaced';
  readonly placement: Kind<Placement>;
  readonly policySnapshot: Kind<PolicySnapshot>;
  readonly resourceSnapshot: Kind<ResourceSnapshot>;
  readonly binding: Kind<Binding>;
  readonly updateRun: Kind<UpdateRun>;
  readonly updateStrategy: Kind<UpdateStrategy>;
  readonly approvalRequest: Kind<ApprovalRequest>;
  /** Whether a placement selects from the whole hub. Others select only from their own namespace. */
  readonly mayLeaveNamespace: boolean;
}

export const clusterFamily: PlacementFamily = {
  scope: 'Cluster',
  placement: clusterResourcePlacements,
  policySnapshot: clusterSchedulingPolicySnapshots,
  resourceSnapshot: clusterResourceSnapshots,
  binding: clusterResourceBindings,
  updateRun: clusterStagedUpdateRuns,
  updateStrategy: clusterStagedUpdateStrategies,
  approvalRequest: clusterApprovalRequests,
  mayLeaveNamespace: true,
};

export const namespacedFamily: PlacementFamily = {
  scope: 'Namespaced',
  placement: resourcePlacements,
  policySnapshot: schedulingPolicySnapshots,
  resourceSnapshot: resourceSnapshots,
  binding: resourceBindings,
  updateRun: stagedUpdateRuns,
  updateStrategy: stagedUpdateStrategies,
  approvalRequest: approvalRequests,
  mayLeaveNamespace: false,
};

export const families: readonly PlacementFamily[] = [clusterFamily, namespacedFamily];
