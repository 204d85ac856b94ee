import type { CustomResourceDefinition } from '@flotilla/schema';
import { internalMemberClusterDefinition, memberClusterDefinition } from './cluster/member-cluster-schema.ts';
import { clusterProfileDefinition } from './multicluster/cluster-profile-schema.ts';
import { managedClusterSetBindingDefinition, managedClusterSetDefinition } from './ocm/cluster-set-schema.ts';
import { clusterClaimDefinition, managedClusterDefinition } from './ocm/managed-cluster-schema.ts';
import {
  addOnPlacementScoreDefinition,
  ocmPlacementDefinition,
  placementDecisionDefinition,
} from './ocm/ocm-placement-schema.ts';
import { clusterResourceBindingDefinition, resourceBindingDefinition } from './placement/binding-schema.ts';
import {
  clusterResourcePlacementDisruptionBudgetDefinition,
  clusterResourcePlacementEvictionDefinition,
} from './placement/disruption/disruption-schema.ts';
import {
  clusterResourceOverrideDefinition,
  clusterResourceOverrideSnapshotDefinition,
  resourceOverrideDefinition,
  resourceOverrideSnapshotDefinition,
} from './placement/overrides/override-schema.ts';
import {
  clusterResourceEnvelopeDefinition,
  clusterResourcePlacementDefinition,
  clusterResourcePlacementStatusDefinition,
  resourceEnvelopeDefinition,
  resourcePlacementDefinition,
} from './placement/placement-schema.ts';
import {
  clusterResourceSnapshotDefinition,
  clusterSchedulingPolicySnapshotDefinition,
  resourceSnapshotDefinition,
  schedulingPolicySnapshotDefinition,
} from './placement/snapshots-schema.ts';
import {
  approvalRequestDefinition,
  clusterApprovalRequestDefinition,
} from './placement/staged-update/approval-request-schema.ts';
import {
  clusterStagedUpdateRunDefinition,
  stagedUpdateRunDefinition,
} from './placement/staged-update/update-run-schema.ts';
import {
  clusterStagedUpdateStrategyDefinition,
  stagedUpdateStrategyDefinition,
} from './placement/staged-update/update-strategy-schema.ts';
import { appliedWorkDefinition, workDefinition } from './work/work-schema.ts';

/** All kinds of placements on the hub, from what users write to what one cluster gets. */
export const placementDefinitions: readonly CustomResourceDefinition[] = [
  clusterResourcePlacementDefinition,
  resourcePlacementDefinition,
  clusterResourcePlacementStatusDefinition,
  clusterSchedulingPolicySnapshotDefinition,
  schedulingPolicySnapshotDefinition,
  clusterResourceSnapshotDefinition,
  resourceSnapshotDefinition,
  clusterResourceBindingDefinition,
  resourceBindingDefinition,
  clusterResourceEnvelopeDefinition,
  resourceEnvelopeDefinition,
  clusterResourceOverrideDefinition,
  resourceOverrideDefinition,
  clusterResourceOverrideSnapshotDefinition,
  resourceOverrideSnapshotDefinition,
  clusterStagedUpdateRunDefinition,
  stagedUpdateRunDefinition,
  clusterStagedUpdateStrategyDefinition,
  stagedUpdateStrategyDefinition,
  clusterApprovalRequestDefinition,
  approvalRequestDefinition,
  clusterResourcePlacementEvictionDefinition,
  clusterResourcePlacementDisruptionBudgetDefinition,
];

/** The kinds of Open Cluster Management. */
export const ocmDefinitions: readonly CustomResourceDefinition[] = [
  managedClusterDefinition,
  managedClusterSetDefinition,
  managedClusterSetBindingDefinition,
  ocmPlacementDefinition,
  placementDecisionDefinition,
  addOnPlacementScoreDefinition,
  clusterClaimDefinition,
];

/** Every kind of ours, for manifests, documents and hubs. */
export const allDefinitions: readonly CustomResourceDefinition[] = [
  memberClusterDefinition,
  internalMemberClusterDefinition,
  ...placementDefinitions,
  workDefinition,
  appliedWorkDefinition,
  clusterProfileDefinition,
  ...ocmDefinitions,
];
