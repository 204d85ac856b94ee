import type { Kind, KubeObject } from '@flotilla/kube';
import { placementApi } from '../groups.ts';
import type { PlacementStatus } from './parts/placement-status.ts';

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
