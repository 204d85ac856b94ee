import { defineVersions } from '../../define-versions.ts';
import { placementCategories } from '../../parts/placement-categories.ts';
import { planInV1alpha1, updatePlan } from './update-stage.ts';
import { clusterStagedUpdateStrategies, stagedUpdateStrategies } from './update-strategy.ts';

const declared = { categories: placementCategories, fields: { spec: updatePlan } };

export const clusterStagedUpdateStrategyDefinition = defineVersions(clusterStagedUpdateStrategies, {
  ...declared,
  description: 'Stages for updates of ClusterResourcePlacements; many runs can share them.',
  shortNames: ['csus'],
  // Nothing has a status here, yet KubeFleet serves the subresource.
  subresources: { status: {} },
  versions: { v1: {}, v1alpha1: planInV1alpha1('spec'), v1beta1: {} },
});

export const stagedUpdateStrategyDefinition = defineVersions(stagedUpdateStrategies, {
  ...declared,
  description: 'Stages for updates of the ResourcePlacements of its namespace; many runs can share them.',
  shortNames: ['sus'],
  versions: { v1: {}, v1beta1: {} },
});
