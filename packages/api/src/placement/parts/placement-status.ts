/** The status of a placement, also for users who see only one namespace. */
import { s, type Fields, type Infer } from '@flotilla/schema';
import { condition } from '../../parts/condition.ts';
import { namespacedName } from './override-snapshots.ts';
import { outcomesInV1, placedResource, resourceOutcomes, resourcesInV1 } from './resource-outcomes.ts';

export const perClusterStatus = s.object('How the placement stands on one cluster, or why it is not there.', {
  clusterName: s.optional(s.string('The cluster; absent where one is wanted and none was found.')),
  observedResourceIndex: s.optional(s.string('Index of the resource snapshot that the cluster is given.')),
  applicableResourceOverrides: s.optional(
    s.list(namespacedName, 'Snapshots of the ResourceOverrides that count here.'),
  ),
  applicableClusterResourceOverrides: s.optional(
    s.list(s.string('Name of a snapshot.'), 'Snapshots of the ClusterResourceOverrides that count here.'),
  ),
  conditions: s.optional(s.list(condition, 'How far the resources have come here.')),
  ...resourceOutcomes,
});

export const placementStatus = s.object('How the placement stands.', {
  observedResourceIndex: s.optional(s.string('Index of the resource snapshot that this status speaks of.')),
  selectedResources: s.optional(s.list(placedResource, 'The resources that are placed.')),
  placementStatuses: s.optional(s.list(perClusterStatus, 'How it stands on each cluster.')),
  conditions: s.optional(s.listByKey('type', condition, 'How far the resources have come on all clusters together.')),
});

/** The differences in v1, for a status in this field. */
export function placementStatusInV1(field: string): Fields {
  return { ...resourcesInV1(`${field}.selectedResources`), ...outcomesInV1(`${field}.placementStatuses[]`) };
}

export type PlacementStatus = Infer<typeof placementStatus>;
export type PerClusterStatus = Infer<typeof perClusterStatus>;
