import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type { resourceSnapshotSpec, resourceSnapshotStatus } from './resource-snapshot-schema.ts';

export type ResourceSnapshotSpec = Infer<typeof resourceSnapshotSpec>;
export type ResourceSnapshotStatus = Infer<typeof resourceSnapshotStatus>;

/** The resources that a placement selects, as they were at one moment. Many resources are several objects of one index. */
export interface ResourceSnapshot extends KubeObject {
  spec: ResourceSnapshotSpec;
  status?: ResourceSnapshotStatus;
}

export const clusterResourceSnapshots: Kind<ResourceSnapshot> = {
  ...placementApi,
  kind: 'ClusterResourceSnapshot',
  plural: 'clusterresourcesnapshots',
  namespaced: false,
};

export const resourceSnapshots: Kind<ResourceSnapshot> = {
  ...placementApi,
  kind: 'ResourceSnapshot',
  plural: 'resourcesnapshots',
  namespaced: true,
};
