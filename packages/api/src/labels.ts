/** The labels of the fleet: on what, who writes them, and what they say. */

/** On member namespaces, `true`; written by the hub's clusters stage. */
export const fleetResourceLabel = 'kubernetes-fleet.io/is-fleet-resource';

/** On a MemberCluster, its own name, so that selectors can name a member; written by the clusters stage. */
export const memberNameLabel = 'kubernetes-fleet.io/member-name';

/** On a ClusterProfile, who manages the cluster; written by the clusters stage. */
export const clusterManagerLabel = 'x-k8s.io/cluster-manager';

/** On snapshots, bindings and Works: name of the placement, of either family; written by the stage that creates the object. */
export const placementLabel = 'kubernetes-fleet.io/parent-CRP';

/** On policy snapshots, on the first resource snapshot of a group and on override snapshots, `true` or `false`; written by their stages. */
export const latestLabel = 'kubernetes-fleet.io/is-latest-snapshot';

/** On policy snapshots, from 0; written by the placement stage. */
export const policyIndexLabel = 'kubernetes-fleet.io/policy-index';

/** On every resource snapshot of a group, from 0; written by the placement stage. */
export const resourceIndexLabel = 'kubernetes-fleet.io/resource-index';

/** On override snapshots, from 0; written by the overrides stage. */
export const overrideIndexLabel = 'kubernetes-fleet.io/override-index';

/** On override snapshots: name of the override; written by the overrides stage. */
export const overrideLabel = 'kubernetes-fleet.io/parent-resource-override';

/** On Works: name of the binding; written by the works stage, as all that follow for Works. */
export const bindingLabel = 'kubernetes-fleet.io/parent-resource-binding';

/** On Works of namespaced placements: the namespace. */
export const placementNamespaceLabel = 'kubernetes-fleet.io/parent-placement-namespace';

/** On Works: the index of the resource snapshots that they were made of. */
export const resourceSnapshotIndexLabel = 'kubernetes-fleet.io/parent-resource-snapshot-index';

/** On Works that an envelope became: its kind. */
export const envelopeTypeLabel = 'kubernetes-fleet.io/envelope-work';

/** On Works that an envelope became: its namespace. */
export const envelopeNamespaceLabel = 'kubernetes-fleet.io/envelope-namespace';

/** On Works that an envelope became: its name. */
export const envelopeNameLabel = 'kubernetes-fleet.io/envelope-name';

/** On approval requests: name of the update run; written by the staged-update stage, as all that follow. */
export const updateRunLabel = 'kubernetes-fleet.io/targetUpdateRun';

/** On approval requests: name of the stage. */
export const updateStageLabel = 'kubernetes-fleet.io/targetUpdatingStage';

/** On approval requests: whether they are asked `beforeStage` or `afterStage`. */
export const taskTypeLabel = 'kubernetes-fleet.io/taskType';

/** On approval requests: whether this is the newest of its run and stage. */
export const latestApprovalLabel = 'kubernetes-fleet.io/isLatestUpdateRunApproval';
