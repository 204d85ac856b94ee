/** The finalizers of the fleet: on what, and whose work they wait for. Who adds one also removes it. */

/** On MemberClusters: the clusters stage lets the member leave and removes its namespace. */
export const memberClusterFinalizer = 'kubernetes-fleet.io/membercluster-finalizer';

/** On MemberClusters: the clusters stage removes the ClusterProfile. */
export const clusterProfileFinalizer = 'kubernetes-fleet.io/cluster-profile-cleanup';

/** On Works: the member's apply stage removes what it applied. On bindings: the works stage removes the Works. */
export const workFinalizer = 'kubernetes-fleet.io/work-cleanup';

/** On placements of both families: the placement stage removes the snapshots. */
export const placementFinalizer = 'kubernetes-fleet.io/crp-cleanup';

/** On placements of both families: the scheduling stage removes the bindings. */
export const schedulerFinalizer = 'kubernetes-fleet.io/scheduler-cleanup';

/** On bindings of both families: the scheduling stage sees them go. */
export const bindingFinalizer = 'kubernetes-fleet.io/scheduler-crb-cleanup';

/** On overrides: the overrides stage removes their snapshots. */
export const overrideFinalizer = 'kubernetes-fleet.io/override-cleanup';

/** On update runs: the staged-update stage removes the approval requests. */
export const updateRunFinalizer = 'kubernetes-fleet.io/stagedupdaterun-finalizer';
