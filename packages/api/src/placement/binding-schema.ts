import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { applyStrategy } from '../parts/apply-strategy.ts';
import { age, conditionColumn, wide } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { placementCategories } from '../groups.ts';
import { clusterResourceBindings, resourceBindings } from './binding.ts';
import { clusterDecision } from './parts/placement-policy.ts';
import { overrideSnapshots } from './parts/override-snapshots.ts';
import { outcomesInV1, resourceOutcomes } from './parts/resource-outcomes.ts';

export const bindingSpec = s.object('Which resources one cluster is given.', {
  state: s.string<'Scheduled' | 'Bound' | 'Unscheduled'>(
    'Scheduled: the cluster was chosen and waits for its turn. Bound: it is given the resources. Unscheduled: it is to lose them.',
  ),
  resourceSnapshotName: s.string('The first resource snapshot of the index that it is given; empty before its turn.'),
  ...overrideSnapshots,
  schedulingPolicySnapshotName: s.string('The policy snapshot that it was chosen by.'),
  targetCluster: s.string('The cluster.'),
  clusterDecision,
  applyStrategy: s.optional(applyStrategy),
});

export const bindingStatus = s.object('How far the resources have come on the cluster.', {
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
  description: 'A ClusterResourcePlacement on one cluster that was chosen for it.',
  shortNames: ['crb'],
  versions: { v1: { differs: outcomesInV1('status') }, v1beta1: {} },
});

export const resourceBindingDefinition = defineVersions(resourceBindings, {
  ...declared,
  description: 'A ResourcePlacement on one cluster that was chosen for it.',
  shortNames: ['rb'],
  versions: { v1beta1: {} },
});
