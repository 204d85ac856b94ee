/** The availability of ManagedClusters that OCM's agents report, from their leases, and the taint that it requires. */
import {
  clusterNameLabel,
  conditionOf,
  managedClusterConditions,
  managedClusterReasons,
  managedClusters,
  withCondition,
  type Condition,
  type ManagedCluster,
} from '@flotilla/api';
import { apiVersionOf, formatMicroTime, jsonEquals, leases, type KubeObject, type Lease } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { withAvailabilityTaint } from '../availability-taints.ts';
import { graceMs } from '../grace.ts';

/** In the namespace of each cluster. Its agent renews it. */
export const clusterLease = 'managed-cluster-lease';

export interface ClusterState {
  readonly cluster: Readonly<ManagedCluster>;
  /** Of the cluster's name. */
  readonly namespace: Readonly<KubeObject> | undefined;
  readonly lease: Readonly<Lease> | undefined;
}

export interface LeaseSettings {
  /** Start of this hub process. Agents could not renew leases on a server that did not run. */
  readonly listeningSince: Date;
}

export function decideAvailability(state: ClusterState, settings: LeaseSettings, now: Date): Plan {
  const leased = decideLease(state, settings, now);
  // The status is written first: the taint follows it.
  if (leased.steps.length > 0 || state.cluster.metadata.deletionTimestamp !== undefined) return leased;
  return { ...leased, steps: taintWrites(state.cluster) };
}

/** As in OCM, only clusters that were accepted once must renew a lease. */
function decideLease({ cluster, namespace, lease }: ClusterState, { listeningSince }: LeaseSettings, now: Date): Plan {
  if (conditionOf(cluster.status?.conditions, managedClusterConditions.hubAccepted) === undefined) return nothingToDo;
  const { deletionTimestamp } = cluster.metadata;
  const isLost = availabilityOf(cluster) === 'Unknown';
  if (lease === undefined) {
    if (deletionTimestamp !== undefined) return isLost ? nothingToDo : { steps: [[lost(cluster, now)]] };
    return namespace?.metadata.deletionTimestamp === undefined && namespace
      ? { steps: [[begun(cluster, now)]] }
      : nothingToDo;
  }
  if (isLost) return nothingToDo;
  const renewedAt = Date.parse(lease.spec?.renewTime ?? '');
  const since = Math.max(Number.isNaN(renewedAt) ? 0 : renewedAt, listeningSince.getTime());
  const lostAt = Math.min(since, now.getTime()) + graceMs(cluster.spec?.leaseDurationSeconds);
  if (now.getTime() < lostAt) return { steps: [], requeueAfterMs: lostAt - now.getTime() };
  const message = `The ${cluster.metadata.name} is successfully imported. However, the connection check from the managed cluster to the hub cluster has failed`;
  const event = { about: cluster, type: 'Warning', reason: 'AvailableUnknown', message } as const;
  return { steps: [[lost(cluster, now)]], events: [event] };
}

/** Begins the time in which the agent must renew it for the first time. */
function begun({ metadata: { name = '' } }: Readonly<ManagedCluster>, now: Date) {
  const object: Lease = {
    apiVersion: apiVersionOf(leases),
    kind: leases.kind,
    metadata: { name: clusterLease, namespace: name, labels: { [clusterNameLabel]: name } },
    spec: { holderIdentity: clusterLease, renewTime: formatMicroTime(now) },
  };
  return { verb: 'create', kind: leases, object } as const;
}

function lost(cluster: Readonly<ManagedCluster>, now: Date) {
  const condition = {
    type: managedClusterConditions.available,
    status: 'Unknown',
    reason: managedClusterReasons.leaseStopped,
    message: 'Registration agent stopped updating its lease.',
  } as const;
  const conditions = withCondition(cluster.status?.conditions ?? [], condition, now);
  const object: ManagedCluster = { ...cluster, status: { ...cluster.status, conditions } };
  return { verb: 'update', kind: managedClusters, object, subresource: 'status' } as const;
}

/** Undefined if the cluster has never reported. */
function availabilityOf({ status }: Readonly<ManagedCluster>): Condition['status'] | undefined {
  return conditionOf(status?.conditions, managedClusterConditions.available)?.status;
}

function taintWrites(cluster: Readonly<ManagedCluster>): Plan['steps'] {
  const before = cluster.spec?.taints ?? [];
  const taints = withAvailabilityTaint(before, availabilityOf(cluster) ?? 'Unknown');
  if (jsonEquals(taints, before)) return [];
  const spec = { leaseDurationSeconds: 60, ...cluster.spec, taints };
  return [[{ verb: 'update', kind: managedClusters, object: { ...cluster, spec } }]];
}
