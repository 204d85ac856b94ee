import {
  agentConditions,
  conditionOf,
  managedClusterConditions,
  managedClusters,
  memberClusterConditions,
  memberClusters,
  type ManagedCluster,
  type MemberCluster,
} from '@flotilla/api';
import { jsonEquals, type JsonValue, type KubeObject } from '@flotilla/kube';
import { itself, type Controller, type Watched } from '@flotilla/runtime';
import { memberAgentOf } from '../../clusters/last-heartbeat.ts';
import { decideMirror, type MirrorSettings, type MirrorState } from './decide.ts';
import { isMirror } from './mirror.ts';

/** Members often join together, and each waits for two writes. */
const workers = 16;

const unavailable = 'unavailable mirrors';

/** Keeps a ManagedCluster for each joined member, for Placements of OCM. */
export function mirrorController(settings: MirrorSettings): Controller<MirrorState> {
  return {
    name: 'managed-cluster-mirror',
    workers,
    watches: [
      { kind: memberClusters, concerns: itselfUnlessHeartbeat },
      { kind: managedClusters, concerns: itself, indexes: { [unavailable]: unavailableName } },
    ],
    observe: ({ name }, cache) => ({
      member: cache.get(memberClusters, { name }),
      managed: cache.get(managedClusters, { name }),
    }),
    decide: (state, now) => decideMirror(state, settings, now),
  };
}

function unavailableName(object: KubeObject): string[] {
  const cluster = object as ManagedCluster;
  const available = conditionOf(cluster.status?.conditions, managedClusterConditions.available);
  return isMirror(cluster) && available?.status !== 'True' ? [cluster.metadata.name ?? ''] : [];
}

/** A heartbeat that brings nothing new only matters to a mirror that waits for one. A timer notices the last one. */
const itselfUnlessHeartbeat: Watched['concerns'] = (now, old, cache) => {
  const key = { name: (now ?? old)?.metadata.name ?? '' };
  if (now === undefined || old === undefined) return [key];
  const isAwaited = cache.count(managedClusters, unavailable, key.name) > 0;
  return isAwaited || !jsonEquals(mirroredParts(now as MemberCluster), mirroredParts(old as MemberCluster))
    ? [key]
    : [];
};

/** All that a mirror shows of a MemberCluster, without times. */
function mirroredParts(member: MemberCluster): JsonValue {
  const { uid = '', generation = 0, labels = {}, deletionTimestamp = '' } = member.metadata;
  const { conditions, properties = {}, resourceUsage: { capacity = {}, allocatable = {} } = {} } = member.status ?? {};
  const joined = conditionOf(conditions, memberClusterConditions.joined);
  const healthy = conditionOf(memberAgentOf(member)?.conditions, agentConditions.healthy);
  const values = Object.entries(properties).map(([name, { value }]) => [name, value]);
  return [
    [uid, generation, labels, deletionTimestamp, joined?.status ?? '', joined?.observedGeneration ?? 0],
    [healthy?.status ?? '', capacity, allocatable, values],
  ];
}
