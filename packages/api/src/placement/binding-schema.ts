import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { applyStrategy } from '../parts/apply-strategy.ts';
import { age, conditionColumn, wide } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { placementCategories } from '../groups.ts';
import { clusterResourceBindings, resourceBindings } from './binding.ts';
import { clusterDecision } from './parts/placement-policy.ts';
import { overrideSnapshots } from './parts/placement-status.ts';
import { outcomesInV1, resourceOutcomes } from './parts/resource-outcomes.ts';

export const bindingSpec = s.object('The resources for one cluster.', {
  state: s.string<'Scheduled' | 'Bound' | 'Unscheduled'>(
    'Scheduled: the cluster is selected, but not rolled out to yet. Bound: it gets the resources. Unscheduled: it loses them.',
  ),
  resourceSnapshotName: s.string('The first resource snapshot of the index for the cluster; empty before the rollout.'),
  ...overrideSnapshots,
  schedulingPolicySnapshotName: s.string('The policy snapshot that selected the cluster.'),
  targetCluster: s.string('The cluster.'),
  clusterDecision,
  applyStrategy: s.optional(applyStrategy),
});

export const bindingStatus = s.object('Progress of the resources on the cluster.', {
  ...resourceOutcomes,
  conditions: s.optional(
    s.listByKey('type', condition, 'Each step on the way: rollout, overrides, works, applied, available.'),
  ),
});

const declared = {
  categories: placementCategories,
  fields: { spec: bindingSpec, status: s.optional(bindingStatus) },
  subresources: { status: {} },
  columns: [
    conditionColumn('WorkSynchronized', 'WorkSynchronized'),
    conditionColumn('ResourcesApplied', 'Applied'),
    wide(conditionColumn('ResourceAvailable', 'Available')),
    age,
  ],
};

export const clusterResourceBindingDefinition = defineVersions(clusterResourceBindings, {
  ...declared,
  description: 'A ClusterResourcePlacement on one selected cluster.',
  shortNames: ['crb'],
  versions: { v1: { differs: outcomesInV1('status') }, v1beta1: {} },
});

export const resourceBindingDefinition = defineVersions(resourceBindings, {
  ...declared,
  description: 'A ResourcePlacement on one selected cluster.',
  shortNames: ['rb'],
  versions: { v1beta1: {} },
});
