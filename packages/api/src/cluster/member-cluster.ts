import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { clusterApi } from '../groups.ts';
import type { identity, memberClusterSpec, memberClusterStatus, taint } from './member-cluster-schema.ts';
import type { agentStatus, propertyValue, resourceUsage } from './reported-status.ts';

export type MemberClusterSpec = Infer<typeof memberClusterSpec>;
export type MemberClusterStatus = Infer<typeof memberClusterStatus>;
export type MemberIdentity = Infer<typeof identity>;
export type Taint = Infer<typeof taint>;
export type AgentStatus = Infer<typeof agentStatus>;
export type PropertyValue = Infer<typeof propertyValue>;
export type ResourceUsage = Infer<typeof resourceUsage>;

/** A member of the fleet, as people see it. */
export interface MemberCluster extends KubeObject {
  spec: MemberClusterSpec;
  status?: MemberClusterStatus;
}

export const memberClusters: Kind<MemberCluster> = {
  ...clusterApi,
  kind: 'MemberCluster',
  plural: 'memberclusters',
  namespaced: false,
};
