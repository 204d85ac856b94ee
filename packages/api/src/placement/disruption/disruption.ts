import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { disruptionBudgetSpec, evictionSpec, evictionStatus } from './disruption-schema.ts';

export type DisruptionBudgetSpec = Infer<typeof disruptionBudgetSpec>;

/** How many clusters evictions may take from the ClusterResourcePlacement of the same name. */
export interface DisruptionBudget extends KubeObject {
  spec: DisruptionBudgetSpec;
}

export const clusterResourcePlacementDisruptionBudgets: Kind<DisruptionBudget> = {
  ...placementApi,
  kind: 'ClusterResourcePlacementDisruptionBudget',
  plural: 'clusterresourceplacementdisruptionbudgets',
  namespaced: false,
};

export type EvictionSpec = Infer<typeof evictionSpec>;
export type EvictionStatus = Infer<typeof evictionStatus>;

/** Requests once to remove a placement from a cluster. */
export interface Eviction extends KubeObject {
  spec: EvictionSpec;
  status?: EvictionStatus;
}

export const clusterResourcePlacementEvictions: Kind<Eviction> = {
  ...placementApi,
  kind: 'ClusterResourcePlacementEviction',
  plural: 'clusterresourceplacementevictions',
  namespaced: false,
};
