import { s, type ValidationRule } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { placementCategories } from '../../parts/placement-categories.ts';
import { resourceSelector } from '../parts/resource-selector.ts';
import { overridePolicy } from './override-policy.ts';
import { clusterResourceOverrides, resourceOverrides } from './override.ts';

export const placementReference = s.object('The one placement that the override is for; every placement when absent.', {
  name: s.string('Name of the placement.'),
  scope: s.withDefault(
    s.oneOf(['Cluster', 'Namespaced'], 'Whether it is a ClusterResourcePlacement or a ResourcePlacement.'),
    'Cluster',
  ),
});

const namedResource = s.object('Names one resource.', {
  group: s.string('API group; empty for the core group.'),
  version: s.string('API version.'),
  kind: s.string('Kind.'),
  name: s.string('Name of the resource.'),
});

const specFields = { placement: s.optional(placementReference), policy: overridePolicy };

const placementStays: ValidationRule = {
  rule: '(has(oldSelf.placement) && has(self.placement) && oldSelf.placement == self.placement) || (!has(oldSelf.placement) && !has(self.placement))',
  message: 'The placement field is immutable',
};

const aFew = { minItems: 1, maxItems: 20 };

export const clusterResourceOverrideSpec = s.object(
  'Which resources change, and how.',
  { ...specFields, clusterResourceSelectors: s.list(resourceSelector, 'The resources that change.', aFew) },
  { rules: [placementStays] },
);

export const resourceOverrideSpec = s.object(
  'Which resources change, and how.',
  { ...specFields, resourceSelectors: s.list(namedResource, 'The resources that change.', aFew) },
  { rules: [placementStays] },
);

/** In v1alpha1 an override may be given to another placement. */
const versions = { v1: {}, v1alpha1: { rules: { spec: [] } }, v1beta1: {} };

export const clusterResourceOverrideDefinition = defineVersions(clusterResourceOverrides, {
  description: 'Changes cluster-scoped resources, and all that is in the namespaces among them, on some clusters.',
  categories: placementCategories,
  fields: { spec: clusterResourceOverrideSpec },
  rules: [
    {
      rule: "!has(self.spec.placement) || self.spec.placement.scope != 'Namespaced'",
      message: 'clusterResourceOverride placement reference cannot be Namespaced scope',
    },
  ],
  versions,
});

export const resourceOverrideDefinition = defineVersions(resourceOverrides, {
  description: 'Changes resources of its own namespace on some clusters.',
  categories: placementCategories,
  fields: { spec: resourceOverrideSpec },
  versions,
});
