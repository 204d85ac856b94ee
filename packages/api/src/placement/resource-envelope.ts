import type { JsonObject, Kind, KubeObject } from '@flotilla/kube';
import { placementApi } from '../groups.ts';

/** Wraps objects that would have an effect on the hub, so that they only have it on the clusters. */
export interface ResourceEnvelope extends KubeObject {
  data: Record<string, JsonObject>;
}

export const clusterResourceEnvelopes: Kind<ResourceEnvelope> = {
  ...placementApi,
  kind: 'ClusterResourceEnvelope',
  plural: 'clusterresourceenvelopes',
  namespaced: false,
};

export const resourceEnvelopes: Kind<ResourceEnvelope> = {
  ...placementApi,
  kind: 'ResourceEnvelope',
  plural: 'resourceenvelopes',
  namespaced: true,
};
