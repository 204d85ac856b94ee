/** On objects of a member: hash of the applied manifest; written by the member's apply controller. */
export const specHashAnnotation = 'kubernetes-fleet.io/spec-hash';

/** On objects of a member: what client-side apply merged last; written by the member's apply controller. */
export const lastAppliedAnnotation = 'kubernetes-fleet.io/last-applied-configuration';

/**
 * On bindings and Works, `Abandon`: applied objects stay when these are deleted; written by the placement and works
 * controllers.
 */
export const deletePropagationAnnotation = 'kubernetes-fleet.io/delete-propagation';

/** On Works: name of the resource snapshot that they contain; written by the works controller. */
export const resourceSnapshotNameAnnotation = 'kubernetes-fleet.io/parent-resource-snapshot-name';

/** On Works: hash of the names of the namespaced override snapshots in use; written by the works controller. */
export const overrideSnapshotHashAnnotation = 'kubernetes-fleet.io/parent-resource-override-snapshot-hash';

/** On Works: the same for cluster-scoped override snapshots; written by the works controller. */
export const clusterOverrideSnapshotHashAnnotation =
  'kubernetes-fleet.io/parent-cluster-resource-override-snapshot-hash';

/**
 * On policy snapshots: generation of the placement, of either family, that was last observed; written by the placement
 * controller.
 */
export const placementGenerationAnnotation = 'kubernetes-fleet.io/CRP-generation';

/** On policy snapshots of type PickN: number of clusters; written by the placement controller. */
export const numberOfClustersAnnotation = 'kubernetes-fleet.io/number-of-clusters';

/**
 * On the first resource snapshot of a group, and only there: hash of all resources; written by the placement
 * controller.
 */
export const resourceHashAnnotation = 'kubernetes-fleet.io/resource-hash';

/** On the first resource snapshot of a group: size of the group; written by the placement controller. */
export const numberOfSnapshotsAnnotation = 'kubernetes-fleet.io/number-of-resource-snapshots';

/** On the first resource snapshot of a group: number of selected envelopes; written by the placement controller. */
export const numberOfEnvelopesAnnotation = 'kubernetes-fleet.io/number-of-enveloped-object';

/** On the further resource snapshots of a group, from 0; written by the placement controller. */
export const snapshotSubindexAnnotation = 'kubernetes-fleet.io/subindex-of-resource-snapshot';

/**
 * On the first resource snapshot of a group: when a pending change was first detected; written by the placement
 * controller.
 */
export const nextSnapshotTimeAnnotation = 'kubernetes-fleet.io/next-resource-snapshot-candidate-detection-time';

/** On bindings that are removed: the previous state; written by the scheduler. */
export const previousBindingStateAnnotation = 'kubernetes-fleet.io/previous-binding-state';

/** On ConfigMaps, by users: marks an envelope. */
export const envelopeConfigMapAnnotation = 'kubernetes-fleet.io/envelope-configmap';

/** On update runs, by users: names of clusters between commas, the only ones that the run updates. KubeFleet has nothing like it. */
export const onlyClustersAnnotation = 'flotilla.dev/only-clusters';

/**
 * On placements, by users: `NAMESPACE/NAME` of an OCM Placement, whose decisions are the only clusters that the placement may choose; `NAME`
 * on a ResourcePlacement. KubeFleet has nothing like it.
 */
export const candidatesFromAnnotation = 'flotilla.dev/candidates-from';

/** On OCM Placements, `true`, by users: decisions and status stay as they are, for another scheduler to write. */
export const schedulingDisabledAnnotation = 'cluster.open-cluster-management.io/experimental-scheduling-disable';

/** On the default ManagedClusterSets, `false`, by users: their selectors stay as edited. */
export const autoUpdateAnnotation = 'cluster.open-cluster-management.io/autoupdate';

/** On CustomResourceDefinitions of OCM's kinds, `true`: Flotilla installed them. It leaves those alone that OCM installed. */
export const ownDefinitionAnnotation = 'flotilla.dev/own-definition';

/**
 * On AppliedWorks: the objects that the first round of the Work was about to apply, as JSON; written by the member's apply
 * controller. KubeFleet's agent writes them to the status of the Work.
 */
export const firstManifestsAnnotation = 'flotilla.dev/first-manifests';
