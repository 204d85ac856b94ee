import type { JsonObject, Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type { PlacementStatus } from './parts/placement-status.ts';
import type { placementSpec } from './placement-schema.ts';

export type PlacementSpec = Infer<typeof placementSpec>;

export interface Placement extends KubeObject {
  spec: PlacementSpec;
  status?: PlacementStatus;
}

export const clusterResourcePlacements: Kind<Placement> = {
  ...placementApi,
  kind: 'ClusterResourcePlacement',
  plural: 'clusterresourceplacements',
  namespaced: false,
};

export const resourcePlacements: Kind<Placement> = {
  ...placementApi,
  kind: 'ResourcePlacement',
  plural: 'resourceplacements',
  namespaced: true,
};

/** A copy of a ClusterResourcePlacement's status in the namespace that it places. */
export interface PlacementStatusMirror extends KubeObject {
  sourceStatus: PlacementStatus;
  lastUpdatedTime: string;
}

export const clusterResourcePlacementStatuses: Kind<PlacementStatusMirror> = {
  ...placementApi,
  kind: 'ClusterResourcePlacementStatus',
  plural: 'clusterresourceplacementstatuses',
  namespaced: true,
};

/** Wraps objects that would have an effect on the hub, so that they only have it on the clusters. */
export interface ResourceEnvelope extends KubeObject {
  data: Record<string, JsonObject>;
}

export const clusterResourceEnvelopes: Kind<ResourceEnvelope> = {
  ...placementApi,
  kind: 'ClusterResourceEnvelope',
  plural: 'clusterresourceenvelopes',
  namespaced: false,
};

export const resourceEnvelopes: Kind<ResourceEnvelope> = {
  ...placementApi,
  kind: 'ResourceEnvelope',
  plural: 'resourceenvelopes',
  namespaced: true,
};
