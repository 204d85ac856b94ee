/** The status of a placement, also for users who see only one namespace. */
import { s, type Fields, type Infer } from '@flotilla/schema';
import { condition } from '../../parts/condition.ts';
import { outcomesInV1, placedResource, resourceOutcomes, resourcesInV1 } from './resource-outcomes.ts';

const namespacedName = s.object('Names one object.', {
  name: s.string('Its name.'),
  namespace: s.string('Its namespace.'),
});

export type NamespacedName = Infer<typeof namespacedName>;

/** The overrides for a cluster, in bindings and update runs. */
export const overrideSnapshots = {
  resourceOverrideSnapshots: s.optional(s.list(namespacedName, 'Snapshots of the ResourceOverrides for the cluster.')),
  clusterResourceOverrideSnapshots: s.optional(
    s.list(s.string('Name of a snapshot.'), 'Snapshots of the ClusterResourceOverrides for the cluster.'),
  ),
} as const;

export const perClusterStatus = s.object('Status of the placement on one cluster, or why it is not there.', {
  clusterName: s.optional(s.string('The cluster; absent if the scheduler could not find enough clusters.')),
  observedResourceIndex: s.optional(s.string('Index of the resource snapshot for the cluster.')),
  applicableResourceOverrides: s.optional(
    s.list(namespacedName, 'Snapshots of the ResourceOverrides for this cluster.'),
  ),
  applicableClusterResourceOverrides: s.optional(
    s.list(s.string('Name of a snapshot.'), 'Snapshots of the ClusterResourceOverrides for this cluster.'),
  ),
  conditions: s.optional(s.list(condition, 'Progress of the resources on this cluster.')),
  ...resourceOutcomes,
});

export const placementStatus = s.object('Status of the placement.', {
  observedResourceIndex: s.optional(s.string('Index of the resource snapshot that this status describes.')),
  selectedResources: s.optional(s.list(placedResource, 'The resources that are placed.')),
  placementStatuses: s.optional(s.list(perClusterStatus, 'Status on each cluster.')),
  conditions: s.optional(s.listByKey('type', condition, 'How far the resources have come on all clusters together.')),
});

/** The differences in v1, for a status in this field. */
export function placementStatusInV1(field: string): Fields {
  return { ...resourcesInV1(`${field}.selectedResources`), ...outcomesInV1(`${field}.placementStatuses[]`) };
}

export type PlacementStatus = Infer<typeof placementStatus>;
export type PerClusterStatus = Infer<typeof perClusterStatus>;
