import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { ocmGroup } from '../groups.ts';
import type {
  clusterSetBindingSpec,
  clusterSetBindingStatus,
  clusterSetSelector,
  clusterSetSpec,
  clusterSetStatus,
} from './cluster-set-schema.ts';

export type ManagedClusterSetSpec = Infer<typeof clusterSetSpec>;
export type ManagedClusterSetStatus = Infer<typeof clusterSetStatus>;
export type ManagedClusterSelector = Infer<typeof clusterSetSelector>;
export type ManagedClusterSetBindingSpec = Infer<typeof clusterSetBindingSpec>;
export type ManagedClusterSetBindingStatus = Infer<typeof clusterSetBindingStatus>;

/** A group of ManagedClusters, which namespaces may be bound to. */
export interface ManagedClusterSet extends KubeObject {
  spec: ManagedClusterSetSpec;
  status?: ManagedClusterSetStatus;
}

export const managedClusterSets: Kind<ManagedClusterSet> = {
  group: ocmGroup,
  version: 'v1beta2',
  kind: 'ManagedClusterSet',
  plural: 'managedclustersets',
  namespaced: false,
};

/** Lets the Placements of its namespace select clusters of the set that it is named after. */
export interface ManagedClusterSetBinding extends KubeObject {
  spec?: ManagedClusterSetBindingSpec;
  status?: ManagedClusterSetBindingStatus;
}

export const managedClusterSetBindings: Kind<ManagedClusterSetBinding> = {
  group: ocmGroup,
  version: 'v1beta2',
  kind: 'ManagedClusterSetBinding',
  plural: 'managedclustersetbindings',
  namespaced: true,
};

/** The sets that every hub has: all clusters without another exclusive set, and all clusters. */
export const defaultClusterSet = 'default';
export const globalClusterSet = 'global';
