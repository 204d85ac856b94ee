import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { age, field } from '../parts/columns.ts';
import { placementCategories } from '../parts/placement-categories.ts';
import { placementStatus, placementStatusInV1 } from './parts/placement-status.ts';
import { clusterResourcePlacementStatuses } from './placement-status-mirror.ts';

export const clusterResourcePlacementStatusDefinition = defineVersions(clusterResourcePlacementStatuses, {
  description:
    'The status of the ClusterResourcePlacement of the same name, for people who may only read the namespace that it places.',
  shortNames: ['crps'],
  categories: placementCategories,
  fields: { sourceStatus: placementStatus, lastUpdatedTime: s.dateTime('When the copy was made.') },
  columns: [
    field('Resource-Index', '.sourceStatus.observedResourceIndex'),
    field('Last-Updated', '.lastUpdatedTime'),
    age,
  ],
  versions: { v1: { differs: placementStatusInV1('sourceStatus') }, v1beta1: {} },
});
