import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { disruptionBudgetSpec } from './disruption-budget-schema.ts';

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
