/** `kubectl get fleet-cluster` lists all kinds of the cluster group. */
export const clusterCategories = ['fleet', 'fleet-cluster'] as const;
