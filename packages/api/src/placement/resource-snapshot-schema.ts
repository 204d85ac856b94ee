import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { age, generation } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { placementCategories } from '../parts/placement-categories.ts';
import { clusterResourceSnapshots, resourceSnapshots } from './resource-snapshot.ts';

export const resourceSnapshotSpec = s.object('The resources; never changed.', {
  selectedResources: s.list(
    s.anyObject('One resource, without what only the hub needs to know of it.'),
    'The resources, in an order that is always the same.',
  ),
});

export const resourceSnapshotStatus = s.object('What became of the snapshot.', {
  conditions: s.optional(s.listByKey('type', condition, 'Nothing is written here yet.')),
});

const declared = {
  categories: placementCategories,
  fields: { spec: resourceSnapshotSpec, status: s.optional(resourceSnapshotStatus) },
  subresources: { status: {} },
  columns: [generation, age],
};

export const clusterResourceSnapshotDefinition = defineVersions(clusterResourceSnapshots, {
  ...declared,
  description: 'What a ClusterResourcePlacement selected, as it was at one moment.',
  shortNames: ['crs'],
  versions: { v1: {}, v1beta1: {} },
});

export const resourceSnapshotDefinition = defineVersions(resourceSnapshots, {
  ...declared,
  description: 'What a ResourcePlacement selected, as it was at one moment.',
  shortNames: ['rs'],
  versions: { v1beta1: {} },
});
