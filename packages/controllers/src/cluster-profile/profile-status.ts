import {
  type AccessProvider,
  clusterManagerName,
  type ClusterProfile,
  clusterProfiles,
  type ClusterProfileStatus,
  conditionOf,
  isTrueNow,
  type MemberCluster,
  memberClusterConditions,
  propertyNames,
  withCondition,
} from '@flotilla/api';
import type { Plan } from '@flotilla/runtime';
import { healthOf, type HealthSettings } from './health.ts';

/** The status of a ClusterProfile. Reconciled again when the heartbeat is overdue. */
export function decideProfileStatus(
  cluster: Readonly<MemberCluster>,
  profile: Readonly<ClusterProfile>,
  settings: HealthSettings,
  now: Date,
): Plan {
  const { condition, lostAt } = healthOf(cluster, profile.metadata.generation ?? 0, settings, now);
  const before = profile.status ?? {};
  const status: ClusterProfileStatus = {
    version: {},
    ...before,
    ...described(cluster),
    conditions: withCondition(before.conditions ?? [], condition, now),
  };
  return {
    steps: [[{ verb: 'update', kind: clusterProfiles, object: { ...profile, status }, subresource: 'status' }]],
    ...(lostAt !== undefined && { requeueAfterMs: Math.max(0, lostAt - now.getTime()) + 1 }),
  };
}

/** Empty while the member's properties are unknown, so that the previous values stay. */
function described({ metadata, status }: Readonly<MemberCluster>): ClusterProfileStatus {
  const collected = conditionOf(status?.conditions, memberClusterConditions.propertyCollectionSucceeded);
  if (!isTrueNow(collected, metadata.generation)) return {};
  const property = (name: string): string | undefined => {
    const properties = status?.properties ?? {};
    return Object.hasOwn(properties, name) ? properties[name]?.value : undefined;
  };
  const kubernetes = property(propertyNames.kubernetesVersion);
  const server = property(propertyNames.clusterEntryPoint) ?? '';
  const authority = property(propertyNames.certificateAuthorityData);
  const provider: AccessProvider = {
    name: clusterManagerName,
    cluster: { server, ...(authority !== undefined && { 'certificate-authority-data': base64(authority) }) },
  };
  return { ...(kubernetes !== undefined && { version: { kubernetes } }), accessProviders: [provider] };
}

/** The field's format is byte, so the text is base64-encoded once more, as KubeFleet does. */
function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
