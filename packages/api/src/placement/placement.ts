import type { Kind, KubeObject } from '@flotilla/kube';
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
