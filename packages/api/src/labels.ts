/** On member namespaces, `true`; written by the hub's clusters controller. */
export const fleetResourceLabel = 'kubernetes-fleet.io/is-fleet-resource';

/** On a MemberCluster, its own name, so that selectors can name a member; written by the clusters controller. */
export const memberNameLabel = 'kubernetes-fleet.io/member-name';

/** On a ClusterProfile, its cluster manager; written by the cluster-profile controller. */
export const clusterManagerLabel = 'x-k8s.io/cluster-manager';

/**
 * On snapshots, bindings and Works: name of the placement, of either family; written by the controller that creates the
 * object.
 */
export const placementLabel = 'kubernetes-fleet.io/parent-CRP';

/**
 * On policy snapshots, on the first resource snapshot of a group and on override snapshots, `true` or `false`; written
 * by their controllers.
 */
export const latestLabel = 'kubernetes-fleet.io/is-latest-snapshot';

/** On policy snapshots, from 0; written by the placement controller. */
export const policyIndexLabel = 'kubernetes-fleet.io/policy-index';

/** On every resource snapshot of a group, from 0; written by the placement controller. */
export const resourceIndexLabel = 'kubernetes-fleet.io/resource-index';

/** On override snapshots, from 0; written by the overrides controller. */
export const overrideIndexLabel = 'kubernetes-fleet.io/override-index';

/** On override snapshots: name of the override; written by the overrides controller. */
export const overrideLabel = 'kubernetes-fleet.io/parent-resource-override';

/** On Works: name of the binding; written by the works controller. */
export const bindingLabel = 'kubernetes-fleet.io/parent-resource-binding';

/** On Works of namespaced placements: the namespace; written by the works controller. */
export const placementNamespaceLabel = 'kubernetes-fleet.io/parent-placement-namespace';

/** On Works: the index of their resource snapshots; written by the works controller. */
export const resourceSnapshotIndexLabel = 'kubernetes-fleet.io/parent-resource-snapshot-index';

/** On Works of an envelope: its kind; written by the works controller. */
export const envelopeTypeLabel = 'kubernetes-fleet.io/envelope-work';

/** On Works of an envelope: its namespace; written by the works controller. */
export const envelopeNamespaceLabel = 'kubernetes-fleet.io/envelope-namespace';

/** On Works of an envelope: its name; written by the works controller. */
export const envelopeNameLabel = 'kubernetes-fleet.io/envelope-name';

/** On approval requests: name of the update run; written by the staged-update controller. */
export const updateRunLabel = 'kubernetes-fleet.io/targetUpdateRun';

/** On approval requests: name of the stage; written by the staged-update controller. */
export const updateStageLabel = 'kubernetes-fleet.io/targetUpdatingStage';

/** On approval requests: `beforeStage` or `afterStage`; written by the staged-update controller. */
export const taskTypeLabel = 'kubernetes-fleet.io/taskType';

/** On approval requests: whether this is the latest of its run and stage; written by the staged-update controller. */
export const latestApprovalLabel = 'kubernetes-fleet.io/isLatestUpdateRunApproval';

/** On ManagedClusters: name of their only ManagedClusterSet with an exclusive selector; written by users and by admission. */
export const clusterSetLabel = 'cluster.open-cluster-management.io/clusterset';

/** On the namespace of a ManagedCluster: the cluster's name; written by OCM's registration. */
export const clusterNameLabel = 'open-cluster-management.io/cluster-name';

/** On PlacementDecisions: name of the OCM Placement; written by the ocm-placement controller. */
export const ocmPlacementLabel = 'cluster.open-cluster-management.io/placement';

/** On PlacementDecisions: position of their group, from 0; written by the ocm-placement controller. */
export const decisionGroupIndexLabel = 'cluster.open-cluster-management.io/decision-group-index';

/** On PlacementDecisions: name of their group, empty for the remaining clusters; written by the ocm-placement controller. */
export const decisionGroupNameLabel = 'cluster.open-cluster-management.io/decision-group-name';
