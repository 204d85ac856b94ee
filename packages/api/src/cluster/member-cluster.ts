import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { clusterApi } from '../groups.ts';
import type {
  agentStatus,
  identity,
  internalMemberClusterSpec,
  internalMemberClusterStatus,
  memberClusterSpec,
  memberClusterStatus,
  propertyValue,
  resourceUsage,
  taint,
} from './member-cluster-schema.ts';

export type MemberClusterSpec = Infer<typeof memberClusterSpec>;
export type MemberClusterStatus = Infer<typeof memberClusterStatus>;
export type MemberIdentity = Infer<typeof identity>;
export type Taint = Infer<typeof taint>;
export type AgentStatus = Infer<typeof agentStatus>;
export type PropertyValue = Infer<typeof propertyValue>;
export type ResourceUsage = Infer<typeof resourceUsage>;

/** A member of the fleet, for users. */
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

export type InternalMemberClusterSpec = Infer<typeof internalMemberClusterSpec>;
export type InternalMemberClusterStatus = Infer<typeof internalMemberClusterStatus>;

/** Tells a member's agents to join or leave; they report in its status. In the member's namespace. */
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
