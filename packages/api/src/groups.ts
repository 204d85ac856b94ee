/** The API groups of our kinds, each with the version that is stored and that our own clients use. */

export const clusterApi = { group: 'cluster.kubernetes-fleet.io', version: 'v1beta1' } as const;

export const placementApi = { group: 'placement.kubernetes-fleet.io', version: 'v1beta1' } as const;

export const inventoryApi = { group: 'multicluster.x-k8s.io', version: 'v1alpha1' } as const;

/** Open Cluster Management. Its kinds have versions of their own: v1 for clusters, v1beta1 for placements. */
export const ocmGroup = 'cluster.open-cluster-management.io';

/** Azure's fleet networking. */
export const networkingApi = { group: 'networking.fleet.azure.com', version: 'v1alpha1' } as const;

/** `kubectl get fleet-cluster` lists all kinds of the cluster group. */
export const clusterCategories = ['fleet', 'fleet-cluster'] as const;

/** `kubectl get fleet-placement` lists all kinds of the placement group. */
export const placementCategories = ['fleet', 'fleet-placement'] as const;
