import type { CustomResourceDefinition } from '@flotilla/schema';
import { internalMemberClusterDefinition } from './cluster/internal-member-cluster-schema.ts';
import { memberClusterDefinition } from './cluster/member-cluster-schema.ts';
import { clusterProfileDefinition } from './multicluster/cluster-profile-schema.ts';
import { placementDefinitions } from './placement/placement-definitions.ts';
import { appliedWorkDefinition } from './work/applied-work-schema.ts';
import { workDefinition } from './work/work-schema.ts';

/** Every kind of ours; manifests, documents and hubs take them from here. */
export const allDefinitions: readonly CustomResourceDefinition[] = [
  memberClusterDefinition,
  internalMemberClusterDefinition,
  ...placementDefinitions,
  workDefinition,
  appliedWorkDefinition,
  clusterProfileDefinition,
];
