/** The finalizers of the fleet. The controller that adds one also removes it. */

/** On MemberClusters: the clusters controller lets the member leave and removes its namespace. */
export const memberClusterFinalizer = 'kubernetes-fleet.io/membercluster-finalizer';

/** On MemberClusters: the cluster-profile controller removes the ClusterProfile. */
export const clusterProfileFinalizer = 'kubernetes-fleet.io/cluster-profile-cleanup';

/**
 * On Works: the member's apply controller removes applied objects. On bindings: the works controller removes the Works.
 */
export const workFinalizer = 'kubernetes-fleet.io/work-cleanup';

/** On placements of both families: the placement controller removes the snapshots. */
export const placementFinalizer = 'kubernetes-fleet.io/crp-cleanup';

/** On placements of both families: the scheduler removes the bindings. */
export const schedulerFinalizer = 'kubernetes-fleet.io/scheduler-cleanup';

/** On bindings of both families: the scheduler observes their deletion. */
export const bindingFinalizer = 'kubernetes-fleet.io/scheduler-crb-cleanup';

/** On overrides: the overrides controller removes their snapshots. */
export const overrideFinalizer = 'kubernetes-fleet.io/override-cleanup';

/** On update runs: the staged-update controller removes the approval requests. */
export const updateRunFinalizer = 'kubernetes-fleet.io/stagedupdaterun-finalizer';
