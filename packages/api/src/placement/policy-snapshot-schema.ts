import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { age, generation } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { placementCategories } from '../parts/placement-categories.ts';
import { clusterDecision } from './parts/cluster-decision.ts';
import { recordedPolicy } from './parts/placement-policy.ts';
import { clusterSchedulingPolicySnapshots, schedulingPolicySnapshots } from './policy-snapshot.ts';

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

const declared = {
  categories: placementCategories,
  fields: { spec: policySnapshotSpec, status: s.optional(policySnapshotStatus) },
  subresources: { status: {} },
  columns: [generation, age],
};

export const clusterSchedulingPolicySnapshotDefinition = defineVersions(clusterSchedulingPolicySnapshots, {
  ...declared,
  description: 'The policy of a ClusterResourcePlacement at one moment, and the clusters that were chosen by it.',
  shortNames: ['csps'],
  versions: { v1: {}, v1beta1: {} },
});

export const schedulingPolicySnapshotDefinition = defineVersions(schedulingPolicySnapshots, {
  ...declared,
  description: 'The policy of a ResourcePlacement at one moment, and the clusters that were chosen by it.',
  shortNames: ['sps'],
  versions: { v1beta1: {} },
});
