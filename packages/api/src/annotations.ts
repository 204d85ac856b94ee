/** The annotations of the fleet: on what, who writes them, and what they say. */

/** On objects of a member: hash of the manifest that was applied; written by the member's apply stage. */
export const specHashAnnotation = 'kubernetes-fleet.io/spec-hash';

/** On objects of a member: what client-side apply merged last; written by the member's apply stage. */
export const lastAppliedAnnotation = 'kubernetes-fleet.io/last-applied-configuration';

/** On bindings and Works, `Abandon`: what was applied stays when they go; written by the placement and works stages. */
export const deletePropagationAnnotation = 'kubernetes-fleet.io/delete-propagation';

/** On Works: name of the resource snapshot they were made of; written by the works stage. */
export const resourceSnapshotNameAnnotation = 'kubernetes-fleet.io/parent-resource-snapshot-name';

/** On Works: hash of the names of the namespaced override snapshots in use; written by the works stage. */
export const overrideSnapshotHashAnnotation = 'kubernetes-fleet.io/parent-resource-override-snapshot-hash';

/** On Works: the same for cluster-scoped override snapshots; written by the works stage. */
export const clusterOverrideSnapshotHashAnnotation =
  'kubernetes-fleet.io/parent-cluster-resource-override-snapshot-hash';

/** On policy snapshots: generation of the placement, of either family, that was last seen; written by the placement stage. */
export const placementGenerationAnnotation = 'kubernetes-fleet.io/CRP-generation';

/** On policy snapshots of type PickN: how many clusters; written by the placement stage. */
export const numberOfClustersAnnotation = 'kubernetes-fleet.io/number-of-clusters';

/** On the first resource snapshot of a group, and that makes it the first: hash of all resources; written by the placement stage. */
export const resourceHashAnnotation = 'kubernetes-fleet.io/resource-hash';

/** On the first resource snapshot of a group: how many there are; written by the placement stage. */
export const numberOfSnapshotsAnnotation = 'kubernetes-fleet.io/number-of-resource-snapshots';

/** On the first resource snapshot of a group: how many envelopes are selected; written by the placement stage. */
export const numberOfEnvelopesAnnotation = 'kubernetes-fleet.io/number-of-enveloped-object';

/** On the further resource snapshots of a group, from 0; written by the placement stage. */
export const snapshotSubindexAnnotation = 'kubernetes-fleet.io/subindex-of-resource-snapshot';

/** On the first resource snapshot of a group: when a change that waits was first noticed; written by the placement stage. */
export const nextSnapshotTimeAnnotation = 'kubernetes-fleet.io/next-resource-snapshot-candidate-detection-time';

/** On bindings that leave: the state before; written by the scheduling stage. */
export const previousBindingStateAnnotation = 'kubernetes-fleet.io/previous-binding-state';

/** On ConfigMaps, by users: the ConfigMap is an envelope. */
export const envelopeConfigMapAnnotation = 'kubernetes-fleet.io/envelope-configmap';
