import type { TypedSchema } from '@flotilla/schema';
import { agentStatus, propertyValue, resourceUsage } from '../cluster/reported-status.ts';
import { accessProvider } from '../multicluster/cluster-profile-schema.ts';
import { applyStrategy } from '../parts/apply-strategy.ts';
import { condition } from '../parts/condition.ts';
import { patchDetail } from '../parts/patch-detail.ts';
import { quantity } from '../parts/quantities.ts';
import { reportBackStrategy } from '../parts/report-back-strategy.ts';
import { overridePolicy } from '../placement/overrides/override-policy.ts';
import { clusterDecision } from '../placement/parts/cluster-decision.ts';
import { clusterSelectorTerm } from '../placement/parts/cluster-selector.ts';
import { labelSelector } from '../placement/parts/label-selector.ts';
import { placedResource, resourceFields } from '../placement/parts/placed-resource.ts';
import { recordedPolicy } from '../placement/parts/placement-policy.ts';
import { perClusterStatus, placementStatus } from '../placement/parts/placement-status.ts';
import { diffedPlacement, driftedPlacement, failedPlacement } from '../placement/parts/resource-outcomes.ts';
import { resourceSelector } from '../placement/parts/resource-selector.ts';
import { rolloutStrategy } from '../placement/parts/rollout-strategy.ts';
import { stageStatus } from '../placement/staged-update/stage-status.ts';
import { updateStage } from '../placement/staged-update/update-stage.ts';
import type { SharedType } from './shared-type.ts';

const schemas: Readonly<Record<string, Pick<TypedSchema<unknown>, 'json'>>> = {
  AccessProvider: accessProvider,
  AgentStatus: agentStatus,
  ApplyStrategy: applyStrategy,
  ClusterDecision: clusterDecision,
  ClusterSelectorTerm: clusterSelectorTerm,
  Condition: condition,
  DiffedPlacement: diffedPlacement,
  DriftedPlacement: driftedPlacement,
  EnvelopeReference: resourceFields.envelope,
  FailedPlacement: failedPlacement,
  LabelSelector: labelSelector('Chooses by labels; an empty one chooses everything.'),
  OverridePolicy: overridePolicy,
  PatchDetail: patchDetail,
  PerClusterStatus: perClusterStatus,
  PlacedResource: placedResource,
  PlacementPolicy: recordedPolicy,
  PlacementStatus: placementStatus,
  PropertyValue: propertyValue,
  Quantity: quantity,
  ReportBackStrategy: reportBackStrategy,
  ResourceSelector: resourceSelector,
  ResourceUsage: resourceUsage,
  RolloutStrategy: rolloutStrategy,
  StageStatus: stageStatus,
  UpdateStage: updateStage,
};

/** What several fields have in common: the reference describes it once. */
export const sharedTypes: readonly SharedType[] = Object.entries(schemas).map(([title, { json }]) => ({
  title,
  schema: json,
}));
