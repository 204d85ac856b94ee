import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { clusterResourceOverrideSnapshotSpec, resourceOverrideSnapshotSpec } from './override-snapshot-schema.ts';

export type ClusterResourceOverrideSnapshotSpec = Infer<typeof clusterResourceOverrideSnapshotSpec>;
export type ResourceOverrideSnapshotSpec = Infer<typeof resourceOverrideSnapshotSpec>;

/** A ClusterResourceOverride at one moment. */
export interface ClusterResourceOverrideSnapshot extends KubeObject {
  spec: ClusterResourceOverrideSnapshotSpec;
}

/** A ResourceOverride at one moment. */
export interface ResourceOverrideSnapshot extends KubeObject {
  spec: ResourceOverrideSnapshotSpec;
}

export const clusterResourceOverrideSnapshots: Kind<ClusterResourceOverrideSnapshot> = {
  ...placementApi,
  kind: 'ClusterResourceOverrideSnapshot',
  plural: 'clusterresourceoverridesnapshots',
  namespaced: false,
};

export const resourceOverrideSnapshots: Kind<ResourceOverrideSnapshot> = {
  ...placementApi,
  kind: 'ResourceOverrideSnapshot',
  plural: 'resourceoverridesnapshots',
  namespaced: true,
};
