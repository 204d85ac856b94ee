import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { ocmGroup } from '../groups.ts';
import type {
  clusterClaimSpec,
  managedClusterSpec,
  managedClusterStatus,
  reportedClaim,
} from './managed-cluster-schema.ts';
import type { managedClusterTaint } from './parts.ts';

export type ManagedClusterSpec = Infer<typeof managedClusterSpec>;
export type ManagedClusterStatus = Infer<typeof managedClusterStatus>;
export type ManagedClusterTaint = Infer<typeof managedClusterTaint>;
export type TaintEffect = ManagedClusterTaint['effect'];
export type ReportedClaim = Infer<typeof reportedClaim>;
export type ClusterClaimSpec = Infer<typeof clusterClaimSpec>;

/** A cluster for OCM's Placements: a mirror of a MemberCluster, or one that OCM's registration manages. */
export interface ManagedCluster extends KubeObject {
  spec?: ManagedClusterSpec;
  status?: ManagedClusterStatus;
}

export const managedClusters: Kind<ManagedCluster> = {
  group: ocmGroup,
  version: 'v1',
  kind: 'ManagedCluster',
  plural: 'managedclusters',
  namespaced: false,
};

/** A fact about a cluster. It lives on the cluster; OCM's agent copies it into the status of the ManagedCluster. */
export interface ClusterClaim extends KubeObject {
  spec?: ClusterClaimSpec;
}

export const clusterClaims: Kind<ClusterClaim> = {
  group: ocmGroup,
  version: 'v1alpha1',
  kind: 'ClusterClaim',
  plural: 'clusterclaims',
  namespaced: false,
};

/** Keys of the taints of ManagedClusters that cannot be reached, or whose API server does not work. */
export const availabilityTaints = {
  unreachable: 'cluster.open-cluster-management.io/unreachable',
  unavailable: 'cluster.open-cluster-management.io/unavailable',
} as const;
