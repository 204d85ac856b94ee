/**
 * Overrides exist twice as well, but not one for each family of placements: both count for both. What differs is which resources
 * they name, and how.
 */
import type { Kind, KubeObject } from '@flotilla/kube';
import {
  clusterResourceOverrideSnapshots,
  resourceOverrideSnapshots,
  type ClusterResourceOverrideSnapshotSpec,
  type ResourceOverrideSnapshotSpec,
} from './override-snapshot.ts';
import {
  clusterResourceOverrides,
  resourceOverrides,
  type ClusterResourceOverrideSpec,
  type ResourceOverrideSpec,
} from './override.ts';

/** An override of either kind. */
export interface Override extends KubeObject {
  spec: ClusterResourceOverrideSpec | ResourceOverrideSpec;
}

/** A snapshot of either kind. */
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
