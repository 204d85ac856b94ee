import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type { policySnapshotSpec, policySnapshotStatus } from './policy-snapshot-schema.ts';

export type PolicySnapshotSpec = Infer<typeof policySnapshotSpec>;
export type PolicySnapshotStatus = Infer<typeof policySnapshotStatus>;

/** A placement's policy at one moment, and what the scheduler made of it. */
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
