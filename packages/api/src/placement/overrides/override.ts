import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { clusterResourceOverrideSpec, placementReference, resourceOverrideSpec } from './override-schema.ts';

export type ClusterResourceOverrideSpec = Infer<typeof clusterResourceOverrideSpec>;
export type ResourceOverrideSpec = Infer<typeof resourceOverrideSpec>;
export type PlacementReference = Infer<typeof placementReference>;

/** Changes cluster-scoped resources, and with them whole namespaces, on some of the clusters that they are placed on. */
export interface ClusterResourceOverride extends KubeObject {
  spec: ClusterResourceOverrideSpec;
}

/** Changes resources of its own namespace on some of the clusters that they are placed on. */
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
