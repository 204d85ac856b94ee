import {
  clusterManagerLabel,
  clusterManagerName,
  type ClusterProfile,
  clusterProfileFinalizer,
  clusterProfiles,
  conditionOf,
  fleetNamespace,
  inventoryApi,
  isTrueNow,
  type MemberCluster,
  memberClusterConditions,
  memberClusters,
} from '@flotilla/api';
import { apiVersionOf } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import type { HealthSettings } from './health.ts';
import { decideProfileStatus } from './profile-status.ts';

export interface ProfileState {
  readonly name: string;
  readonly cluster: Readonly<MemberCluster> | undefined;
  readonly profile: Readonly<ClusterProfile> | undefined;
}

/** Each joined member has a ClusterProfile; one that leaves loses it. */
export function decideProfile(state: ProfileState, settings: HealthSettings, now: Date): Plan {
  const { cluster, profile } = state;
  // A profile with another manager belongs to another tool, which happens to use the same namespace and name.
  const isForeign = profile !== undefined && profile.spec.clusterManager.name !== clusterManagerName;
  const removal = profile === undefined || isForeign ? [] : [removed(profile)];
  if (cluster === undefined) return { steps: [removal] };
  if (cluster.metadata.deletionTimestamp !== undefined) return { steps: [removal, released(cluster)] };
  if (isForeign || !hasJoined(cluster)) return nothingToDo;
  const claim = claimed(cluster);
  if (claim.length > 0) return { steps: [claim] };
  const made = named(state.name, profile);
  if (made !== undefined) return { steps: [[made]] };
  return profile === undefined ? nothingToDo : decideProfileStatus(cluster, profile, settings, now);
}

function hasJoined({ metadata, status }: Readonly<MemberCluster>): boolean {
  return isTrueNow(conditionOf(status?.conditions, memberClusterConditions.joined), metadata.generation);
}

function claimed({ metadata }: Readonly<MemberCluster>): Write[] {
  const { name = '', resourceVersion = '', finalizers = [] } = metadata;
  if (finalizers.includes(clusterProfileFinalizer)) return [];
  const patch = { metadata: { resourceVersion, finalizers: [...finalizers, clusterProfileFinalizer] } };
  return [{ verb: 'patch', kind: memberClusters, key: { name }, patch }];
}

function released({ metadata }: Readonly<MemberCluster>): Write[] {
  const { name = '', resourceVersion = '', finalizers = [] } = metadata;
  if (!finalizers.includes(clusterProfileFinalizer)) return [];
  const others = finalizers.filter((finalizer) => finalizer !== clusterProfileFinalizer);
  const patch = { metadata: { resourceVersion, finalizers: others } };
  return [{ verb: 'patch', kind: memberClusters, key: { name }, patch }];
}

function removed({ metadata: { namespace, name = '', uid = '' } }: Readonly<ClusterProfile>): Write {
  return { verb: 'delete', kind: clusterProfiles, key: { namespace, name }, uid };
}

/** Creates or corrects the profile; undefined if its name and label are right. Its status follows then. */
function named(name: string, profile: Readonly<ClusterProfile> | undefined): Write | undefined {
  const spec = { displayName: name, clusterManager: { name: clusterManagerName } };
  const label = { [clusterManagerLabel]: clusterManagerName };
  if (profile === undefined) {
    const metadata = { name, namespace: fleetNamespace, labels: label };
    const object: ClusterProfile = { apiVersion: apiVersionOf(inventoryApi), kind: 'ClusterProfile', metadata, spec };
    return { verb: 'create', kind: clusterProfiles, object };
  }
  const { labels = {} } = profile.metadata;
  if (profile.spec.displayName === name && labels[clusterManagerLabel] === clusterManagerName) return undefined;
  const metadata = { ...profile.metadata, labels: { ...labels, ...label } };
  return { verb: 'update', kind: clusterProfiles, object: { ...profile, metadata, spec } };
}
