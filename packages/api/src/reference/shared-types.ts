import type { TypedSchema } from '@flotilla/schema';
import { agentStatus, propertyValue, quantity, resourceUsage } from '../cluster/member-cluster-schema.ts';
import { accessProvider } from '../multicluster/cluster-profile-schema.ts';
import { applyStrategy, patchDetail, reportBackStrategy } from '../parts/apply-strategy.ts';
import { condition } from '../parts/condition.ts';
import { overridePolicy } from '../placement/overrides/override-schema.ts';
import { clusterDecision, recordedPolicy } from '../placement/parts/placement-policy.ts';
import { clusterSelectorTerm, labelSelector, resourceSelector } from '../placement/parts/selectors.ts';
import {
  diffedPlacement,
  driftedPlacement,
  failedPlacement,
  placedResource,
  resourceFields,
} from '../placement/parts/resource-outcomes.ts';
import { perClusterStatus, placementStatus } from '../placement/parts/placement-status.ts';
import { rolloutStrategy } from '../placement/parts/rollout-strategy.ts';
import { stageStatus } from '../placement/staged-update/update-run-schema.ts';
import { updateStage } from '../placement/staged-update/update-strategy-schema.ts';
import type { SharedType } from './field-rows.ts';

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
  LabelSelector: labelSelector('Selects by labels; an empty one selects everything.'),
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

/** Types that several fields share: the reference describes them once. */
export const sharedTypes: readonly SharedType[] = Object.entries(schemas).map(([title, { json }]) => ({
  title,
  schema: json,
}));
