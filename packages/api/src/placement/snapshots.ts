import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type {
  policySnapshotSpec,
  policySnapshotStatus,
  resourceSnapshotSpec,
  resourceSnapshotStatus,
} from './snapshots-schema.ts';

export type PolicySnapshotSpec = Infer<typeof policySnapshotSpec>;
export type PolicySnapshotStatus = Infer<typeof policySnapshotStatus>;

/** A placement's policy at one moment, and the scheduler's decisions. */
export interface PolicySnapshot extends KubeObject {
  spec: PolicySnapshotSpec;
  status?: PolicySnapshotStatus;
}

export const clusterSchedulingPolicySnapshots: Kind<PolicySnapshot> = {
  ...placementApi,
  kind: 'ClusterSchedulingPolicySnapshot',
  plural: 'clusterschedulingpolicysnapshots',
  namespaced: false,
};

export const schedulingPolicySnapshots: Kind<PolicySnapshot> = {
  ...placementApi,
  kind: 'SchedulingPolicySnapshot',
  plural: 'schedulingpolicysnapshots',
  namespaced: true,
};

export type ResourceSnapshotSpec = Infer<typeof resourceSnapshotSpec>;
export type ResourceSnapshotStatus = Infer<typeof resourceSnapshotStatus>;

/**
 * The resources that a placement selects, at one moment. Many resources are split into several objects of one index.
 */
export interface ResourceSnapshot extends KubeObject {
  spec: ResourceSnapshotSpec;
  status?: ResourceSnapshotStatus;
}

export const clusterResourceSnapshots: Kind<ResourceSnapshot> = {
  ...placementApi,
  kind: 'ClusterResourceSnapshot',
  plural: 'clusterresourcesnapshots',
  namespaced: false,
};

export const resourceSnapshots: Kind<ResourceSnapshot> = {
  ...placementApi,
  kind: 'ResourceSnapshot',
  plural: 'resourcesnapshots',
  namespaced: true,
};
