import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { placementCategories } from '../groups.ts';
import { age, generation } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { clusterDecision, recordedPolicy } from './parts/placement-policy.ts';
import {
  clusterResourceSnapshots,
  clusterSchedulingPolicySnapshots,
  resourceSnapshots,
  schedulingPolicySnapshots,
} from './snapshots.ts';

export const policySnapshotSpec = s.object('The policy; never changed.', {
  policy: s.optional(recordedPolicy),
  policyHash: s.string(
    'Tells policies apart: the SHA-256 of the policy without its number of clusters, in hexadecimal.',
    {
      format: 'byte',
    },
  ),
});

export const policySnapshotStatus = s.object('What the scheduler made of the policy.', {
  observedCRPGeneration: s.integer('Generation of the placement, of either kind, that the scheduler saw.', {
    format: 'int64',
  }),
  targetClusters: s.optional(
    s.list(clusterDecision, 'The decision about each cluster, those that were chosen first.', { maxItems: 1000 }),
  ),
  conditions: s.optional(s.listByKey('type', condition, 'Whether clusters were found as the policy wants them.')),
});

const policySnapshotParts = {
  categories: placementCategories,
  fields: { spec: policySnapshotSpec, status: s.optional(policySnapshotStatus) },
  subresources: { status: {} },
  columns: [generation, age],
};

export const clusterSchedulingPolicySnapshotDefinition = defineVersions(clusterSchedulingPolicySnapshots, {
  ...policySnapshotParts,
  description: 'The policy of a ClusterResourcePlacement at one moment, and the clusters that were chosen by it.',
  shortNames: ['csps'],
  versions: { v1: {}, v1beta1: {} },
});

export const schedulingPolicySnapshotDefinition = defineVersions(schedulingPolicySnapshots, {
  ...policySnapshotParts,
  description: 'The policy of a ResourcePlacement at one moment, and the clusters that were chosen by it.',
  shortNames: ['sps'],
  versions: { v1beta1: {} },
});

export const resourceSnapshotSpec = s.object('The resources; never changed.', {
  selectedResources: s.list(
    s.anyObject('One resource, without what only the hub needs to know of it.'),
    'The resources, in an order that is always the same.',
  ),
});

export const resourceSnapshotStatus = s.object('What became of the snapshot.', {
  conditions: s.optional(s.listByKey('type', condition, 'Nothing is written here yet.')),
});

const resourceSnapshotParts = {
  categories: placementCategories,
  fields: { spec: resourceSnapshotSpec, status: s.optional(resourceSnapshotStatus) },
  subresources: { status: {} },
  columns: [generation, age],
};

export const clusterResourceSnapshotDefinition = defineVersions(clusterResourceSnapshots, {
  ...resourceSnapshotParts,
  description: 'What a ClusterResourcePlacement selected, as it was at one moment.',
  shortNames: ['crs'],
  versions: { v1: {}, v1beta1: {} },
});

export const resourceSnapshotDefinition = defineVersions(resourceSnapshots, {
  ...resourceSnapshotParts,
  description: 'What a ResourcePlacement selected, as it was at one moment.',
  shortNames: ['rs'],
  versions: { v1beta1: {} },
});
