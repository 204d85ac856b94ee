import { s, type TypedSchema } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { placementCategories } from '../../parts/placement-categories.ts';
import { clusterResourceOverrideSpec, resourceOverrideSpec } from './override-schema.ts';
import { clusterResourceOverrideSnapshots, resourceOverrideSnapshots } from './override-snapshot.ts';

export const clusterResourceOverrideSnapshotSpec = snapshotOf(clusterResourceOverrideSpec);
export const resourceOverrideSnapshotSpec = snapshotOf(resourceOverrideSpec);

function snapshotOf<Spec>(overrideSpec: TypedSchema<Spec>) {
  return s.object('The override as it was; never changed.', {
    overrideSpec,
    overrideHash: s.string('Tells overrides apart: the SHA-256 of the spec, in hexadecimal.', { format: 'byte' }),
  });
}

const declared = {
  categories: placementCategories,
  versions: { v1: {}, v1alpha1: { rules: { 'spec.overrideSpec': [] } }, v1beta1: {} },
};

export const clusterResourceOverrideSnapshotDefinition = defineVersions(clusterResourceOverrideSnapshots, {
  ...declared,
  description: 'A ClusterResourceOverride as it was at one moment.',
  fields: { spec: clusterResourceOverrideSnapshotSpec },
});

export const resourceOverrideSnapshotDefinition = defineVersions(resourceOverrideSnapshots, {
  ...declared,
  description: 'A ResourceOverride as it was at one moment.',
  fields: { spec: resourceOverrideSnapshotSpec },
});
