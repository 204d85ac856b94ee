/** `kubectl get fleet-placement` lists all kinds of the placement group. */
export const placementCategories = ['fleet', 'fleet-placement'] as const;
