import type { CustomResourceDefinition } from '@flotilla/schema';
import { clusterResourceBindingDefinition, resourceBindingDefinition } from './binding-schema.ts';
import { clusterResourcePlacementDisruptionBudgetDefinition } from './disruption/disruption-budget-schema.ts';
import { clusterResourcePlacementEvictionDefinition } from './disruption/eviction-schema.ts';
import { clusterResourceOverrideDefinition, resourceOverrideDefinition } from './overrides/override-schema.ts';
import {
  clusterResourceOverrideSnapshotDefinition,
  resourceOverrideSnapshotDefinition,
} from './overrides/override-snapshot-schema.ts';
import { clusterResourcePlacementDefinition, resourcePlacementDefinition } from './placement-schema.ts';
import { clusterResourcePlacementStatusDefinition } from './placement-status-mirror-schema.ts';
import {
  clusterSchedulingPolicySnapshotDefinition,
  schedulingPolicySnapshotDefinition,
} from './policy-snapshot-schema.ts';
import { clusterResourceEnvelopeDefinition, resourceEnvelopeDefinition } from './resource-envelope-schema.ts';
import { clusterResourceSnapshotDefinition, resourceSnapshotDefinition } from './resource-snapshot-schema.ts';
import {
  approvalRequestDefinition,
  clusterApprovalRequestDefinition,
} from './staged-update/approval-request-schema.ts';
import { clusterStagedUpdateRunDefinition, stagedUpdateRunDefinition } from './staged-update/update-run-schema.ts';
import {
  clusterStagedUpdateStrategyDefinition,
  stagedUpdateStrategyDefinition,
} from './staged-update/update-strategy-schema.ts';

/** All that a placement needs on the hub, from what people write to what one cluster is given. */
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
