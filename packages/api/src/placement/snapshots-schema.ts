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

export const policySnapshotSpec = s.object('The policy; immutable.', {
  policy: s.optional(recordedPolicy),
  policyHash: s.string('SHA-256 of the policy without its number of clusters, in hexadecimal.', {
    format: 'byte',
  }),
});

export const policySnapshotStatus = s.object('The result of the scheduler.', {
  observedCRPGeneration: s.integer('Generation of the placement, of either kind, that the scheduler observed.', {
    format: 'int64',
  }),
  targetClusters: s.optional(
    s.list(clusterDecision, 'The decision about each cluster, selected clusters first.', { maxItems: 1000 }),
  ),
  conditions: s.optional(s.listByKey('type', condition, 'Whether enough clusters match the policy.')),
});

const policySnapshotParts = {
  categories: placementCategories,
  fields: { spec: policySnapshotSpec, status: s.optional(policySnapshotStatus) },
  subresources: { status: {} },
  columns: [generation, age],
};

export const clusterSchedulingPolicySnapshotDefinition = defineVersions(clusterSchedulingPolicySnapshots, {
  ...policySnapshotParts,
  description: 'The policy of a ClusterResourcePlacement at one moment, and the clusters that it selected.',
  shortNames: ['csps'],
  versions: { v1: {}, v1beta1: {} },
});

export const schedulingPolicySnapshotDefinition = defineVersions(schedulingPolicySnapshots, {
  ...policySnapshotParts,
  description: 'The policy of a ResourcePlacement at one moment, and the clusters that it selected.',
  shortNames: ['sps'],
  versions: { v1beta1: {} },
});

export const resourceSnapshotSpec = s.object('The resources; immutable.', {
  selectedResources: s.list(
    s.anyObject('One resource, without fields that only concern the hub.'),
    'The resources, in a stable order.',
  ),
});

export const resourceSnapshotStatus = s.object('Status of the snapshot.', {
  conditions: s.optional(s.listByKey('type', condition, 'Not used yet.')),
});

const resourceSnapshotParts = {
  categories: placementCategories,
  fields: { spec: resourceSnapshotSpec, status: s.optional(resourceSnapshotStatus) },
  subresources: { status: {} },
  columns: [generation, age],
};

export const clusterResourceSnapshotDefinition = defineVersions(clusterResourceSnapshots, {
  ...resourceSnapshotParts,
  description: 'The resources that a ClusterResourcePlacement selected at one moment.',
  shortNames: ['crs'],
  versions: { v1: {}, v1beta1: {} },
});

export const resourceSnapshotDefinition = defineVersions(resourceSnapshots, {
  ...resourceSnapshotParts,
  description: 'The resources that a ResourcePlacement selected at one moment.',
  shortNames: ['rs'],
  versions: { v1beta1: {} },
});
