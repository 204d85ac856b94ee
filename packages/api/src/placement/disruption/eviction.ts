import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { evictionSpec, evictionStatus } from './eviction-schema.ts';

export type EvictionSpec = Infer<typeof evictionSpec>;
export type EvictionStatus = Infer<typeof evictionStatus>;

/** Asks once to take a placement off a cluster. */
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
