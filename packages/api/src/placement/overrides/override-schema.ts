import { s, type Infer, type TypedSchema, type ValidationRule } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { placementCategories } from '../../groups.ts';
import { clusterSelector, resourceSelector } from '../parts/selectors.ts';
import {
  clusterResourceOverrides,
  clusterResourceOverrideSnapshots,
  resourceOverrides,
  resourceOverrideSnapshots,
} from './override.ts';

const jsonPatchOverride = s.object('One operation of a JSON patch (RFC 6902).', {
  op: s.oneOf(['add', 'remove', 'replace'], 'What is done.'),
  path: s.string('JSON pointer to the field.'),
  value: s.optional(
    s.anything(
      'The new value, for add and replace. In it ${MEMBER-CLUSTER-NAME} stands for the name of the cluster, and ${MEMBER-CLUSTER-LABEL-KEY-region} for its label region.',
    ),
  ),
});

const overrideRule = s.object('The changes for some clusters.', {
  clusterSelector: s.optional(clusterSelector('Selects the clusters: none if absent, all if it has no terms.')),
  overrideType: s.withDefault(
    s.oneOf(['JSONPatch', 'Delete'], 'Whether to change the resource there, or not to place it there.'),
    'JSONPatch',
  ),
  jsonPatchOverrides: s.optional(
    s.list(jsonPatchOverride, 'The operations for JSONPatch, in order.', { minItems: 1, maxItems: 20 }),
  ),
});

export const overridePolicy = s.object('The changes and their clusters.', {
  overrideRules: s.list(overrideRule, 'Every rule that matches the cluster applies, in order.', {
    minItems: 1,
    maxItems: 20,
  }),
});

export type OverridePolicy = Infer<typeof overridePolicy>;
export type OverrideRule = Infer<typeof overrideRule>;
export type JsonPatchOverride = Infer<typeof jsonPatchOverride>;

export const placementReference = s.object('The placement that the override applies to; every placement if absent.', {
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

const placementIsImmutable: ValidationRule = {
  rule: '(has(oldSelf.placement) && has(self.placement) && oldSelf.placement == self.placement) || (!has(oldSelf.placement) && !has(self.placement))',
  message: 'The placement field is immutable',
};

const selectorLimits = { minItems: 1, maxItems: 20 };

export const clusterResourceOverrideSpec = s.object(
  'The resources and their changes.',
  { ...specFields, clusterResourceSelectors: s.list(resourceSelector, 'The resources that change.', selectorLimits) },
  { rules: [placementIsImmutable] },
);

export const resourceOverrideSpec = s.object(
  'The resources and their changes.',
  { ...specFields, resourceSelectors: s.list(namedResource, 'The resources that change.', selectorLimits) },
  { rules: [placementIsImmutable] },
);

/** In v1alpha1, an override may change its placement. */
const versions = { v1: {}, v1alpha1: { rules: { spec: [] } }, v1beta1: {} };

export const clusterResourceOverrideDefinition = defineVersions(clusterResourceOverrides, {
  description: 'Changes cluster-scoped resources, and all objects in selected namespaces, on some clusters.',
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

export const clusterResourceOverrideSnapshotSpec = snapshotOf(clusterResourceOverrideSpec);
export const resourceOverrideSnapshotSpec = snapshotOf(resourceOverrideSpec);

function snapshotOf<Spec>(overrideSpec: TypedSchema<Spec>) {
  return s.object('The override at one moment; immutable.', {
    overrideSpec,
    overrideHash: s.string('SHA-256 of the spec, in hexadecimal.', { format: 'byte' }),
  });
}

const declared = {
  categories: placementCategories,
  versions: { v1: {}, v1alpha1: { rules: { 'spec.overrideSpec': [] } }, v1beta1: {} },
};

export const clusterResourceOverrideSnapshotDefinition = defineVersions(clusterResourceOverrideSnapshots, {
  ...declared,
  description: 'A ClusterResourceOverride at one moment.',
  fields: { spec: clusterResourceOverrideSnapshotSpec },
});

export const resourceOverrideSnapshotDefinition = defineVersions(resourceOverrideSnapshots, {
  ...declared,
  description: 'A ResourceOverride at one moment.',
  fields: { spec: resourceOverrideSnapshotSpec },
});
