import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { inventoryApi } from '../groups.ts';
import type { accessProvider, clusterProfileSpec, clusterProfileStatus } from './cluster-profile-schema.ts';

export type ClusterProfileSpec = Infer<typeof clusterProfileSpec>;
export type ClusterProfileStatus = Infer<typeof clusterProfileStatus>;
export type AccessProvider = Infer<typeof accessProvider>;

/** A member in the cluster inventory API, for tools that know nothing of fleets. */
export interface ClusterProfile extends KubeObject {
  spec: ClusterProfileSpec;
  status?: ClusterProfileStatus;
}

export const clusterProfiles: Kind<ClusterProfile> = {
  ...inventoryApi,
  kind: 'ClusterProfile',
  plural: 'clusterprofiles',
  namespaced: true,
};
