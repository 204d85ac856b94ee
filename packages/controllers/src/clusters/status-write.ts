import { memberClusters, reportLimits, type MemberCluster, type MemberClusterStatus } from '@flotilla/api';
import { createThreeWayMergePatch, type JsonObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';

/** A merge patch of what changes; no write if nothing does. */
export function statusWrites(cluster: MemberCluster, status: MemberClusterStatus): Write[] {
  const { apiVersion, kind, metadata } = cluster;
  const { name = '', uid = '', resourceVersion = '' } = metadata;
  const stored = cluster.status ?? {};
  if (isOversized(stored)) {
    const object = { apiVersion, kind, metadata: { name, uid, resourceVersion }, status };
    return [{ verb: 'update', kind: memberClusters, object, subresource: 'status' }];
  }
  const [before, after] = [stored as JsonObject, status as JsonObject];
  const change = createThreeWayMergePatch({ original: before, modified: after, current: before });
  if (Object.keys(change).length === 0) return [];
  const patch = { metadata: { resourceVersion }, status: change };
  return [{ verb: 'patch', kind: memberClusters, key: { name }, patch, subresource: 'status' }];
}

/** True for a status from before the limits: a patch that removes the excess would be larger than the new status. */
function isOversized({ properties = {}, namespaces = {} }: MemberClusterStatus): boolean {
  return (
    Object.keys(properties).length > reportLimits.properties || Object.keys(namespaces).length > reportLimits.namespaces
  );
}
