import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { ocmGroup } from '../groups.ts';
import type {
  addOnPlacementScoreStatus,
  decisionGroup,
  decisionGroupStatus,
  decisionStrategy,
  ocmPlacementSpec,
  ocmPlacementStatus,
  ocmToleration,
  placementDecisionStatus,
  predicate,
  prioritizerConfiguration,
  prioritizerPolicy,
  scoreCoordinate,
  selectedCluster,
  spreadConstraint,
} from './ocm-placement-schema.ts';
import type { claimSelector } from './parts.ts';

export type OcmPlacementSpec = Infer<typeof ocmPlacementSpec>;
export type OcmPlacementStatus = Infer<typeof ocmPlacementStatus>;
export type ClusterPredicate = Infer<typeof predicate>;
export type ClaimSelector = Infer<typeof claimSelector>;
export type PrioritizerPolicy = Infer<typeof prioritizerPolicy>;
export type PrioritizerConfiguration = Infer<typeof prioritizerConfiguration>;
export type ScoreCoordinate = Infer<typeof scoreCoordinate>;
export type SpreadConstraint = Infer<typeof spreadConstraint>;
export type OcmToleration = Infer<typeof ocmToleration>;
export type DecisionStrategy = Infer<typeof decisionStrategy>;
export type DecisionGroup = Infer<typeof decisionGroup>;
export type DecisionGroupStatus = Infer<typeof decisionGroupStatus>;
export type SelectedCluster = Infer<typeof selectedCluster>;
export type PlacementDecisionStatus = Infer<typeof placementDecisionStatus>;
export type AddOnPlacementScoreStatus = Infer<typeof addOnPlacementScoreStatus>;

/** OCM's Placement: selects ManagedClusters of the sets that its namespace is bound to. */
export interface OcmPlacement extends KubeObject {
  spec: OcmPlacementSpec;
  status?: OcmPlacementStatus;
}

export const ocmPlacements: Kind<OcmPlacement> = {
  group: ocmGroup,
  version: 'v1beta1',
  kind: 'Placement',
  plural: 'placements',
  namespaced: true,
};

/** Up to 100 of the clusters that an OCM Placement has selected. */
export interface PlacementDecision extends KubeObject {
  status?: PlacementDecisionStatus;
}

export const placementDecisions: Kind<PlacementDecision> = {
  group: ocmGroup,
  version: 'v1beta1',
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  namespaced: true,
};

/** Scores of one cluster by an add-on, in the cluster's namespace. */
export interface AddOnPlacementScore extends KubeObject {
  status?: AddOnPlacementScoreStatus;
}

export const addOnPlacementScores: Kind<AddOnPlacementScore> = {
  group: ocmGroup,
  version: 'v1alpha1',
  kind: 'AddOnPlacementScore',
  plural: 'addonplacementscores',
  namespaced: true,
};
