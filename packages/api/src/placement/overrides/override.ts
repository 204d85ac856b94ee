import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type {
  clusterResourceOverrideSnapshotSpec,
  clusterResourceOverrideSpec,
  placementReference,
  resourceOverrideSnapshotSpec,
  resourceOverrideSpec,
} from './override-schema.ts';

export type ClusterResourceOverrideSpec = Infer<typeof clusterResourceOverrideSpec>;
export type ResourceOverrideSpec = Infer<typeof resourceOverrideSpec>;
export type PlacementReference = Infer<typeof placementReference>;

/** Changes cluster-scoped resources, including whole namespaces, on some of their clusters. */
export interface ClusterResourceOverride extends KubeObject {
  spec: ClusterResourceOverrideSpec;
}

/** Changes resources of its own namespace on some of their clusters. */
export interface ResourceOverride extends KubeObject {
  spec: ResourceOverrideSpec;
}

export const clusterResourceOverrides: Kind<ClusterResourceOverride> = {
  ...placementApi,
  kind: 'ClusterResourceOverride',
  plural: 'clusterresourceoverrides',
  namespaced: false,
};

export const resourceOverrides: Kind<ResourceOverride> = {
  ...placementApi,
  kind: 'ResourceOverride',
  plural: 'resourceoverrides',
  namespaced: true,
};

export type ClusterResourceOverrideSnapshotSpec = Infer<typeof clusterResourceOverrideSnapshotSpec>;
export type ResourceOverrideSnapshotSpec = Infer<typeof resourceOverrideSnapshotSpec>;

export interface ClusterResourceOverrideSnapshot extends KubeObject {
  spec: ClusterResourceOverrideSnapshotSpec;
}

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

/**
 * An override of either kind. Unlike placements, both kinds apply to both families; they differ in how they select
 * resources.
 */
export interface Override extends KubeObject {
  spec: ClusterResourceOverrideSpec | ResourceOverrideSpec;
}

export interface OverrideSnapshot extends KubeObject {
  spec: ClusterResourceOverrideSnapshotSpec | ResourceOverrideSnapshotSpec;
}

export interface OverrideFamily {
  readonly scope: 'Cluster' | 'Namespaced';
  readonly override: Kind<Override>;
  readonly snapshot: Kind<OverrideSnapshot>;
}

export const clusterOverrides: OverrideFamily = {
  scope: 'Cluster',
  override: clusterResourceOverrides,
  snapshot: clusterResourceOverrideSnapshots,
};

export const namespacedOverrides: OverrideFamily = {
  scope: 'Namespaced',
  override: resourceOverrides,
  snapshot: resourceOverrideSnapshots,
};

export const overrideFamilies: readonly OverrideFamily[] = [clusterOverrides, namespacedOverrides];
