import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { clusterApi } from '../groups.ts';
import type { internalMemberClusterSpec, internalMemberClusterStatus } from './internal-member-cluster-schema.ts';

export type InternalMemberClusterSpec = Infer<typeof internalMemberClusterSpec>;
export type InternalMemberClusterStatus = Infer<typeof internalMemberClusterStatus>;

/** Where the hub tells a member's agents to join or leave, and where they report. In the member's namespace. */
export interface InternalMemberCluster extends KubeObject {
  spec: InternalMemberClusterSpec;
  status?: InternalMemberClusterStatus;
}

export const internalMemberClusters: Kind<InternalMemberCluster> = {
  ...clusterApi,
  kind: 'InternalMemberCluster',
  plural: 'internalmemberclusters',
  namespaced: true,
};
