import { memberClusters, type MemberCluster, type MemberClusterStatus } from '@flotilla/api';
import type { Write } from '@flotilla/runtime';

export function statusWrite(cluster: MemberCluster, status: MemberClusterStatus): Write {
  return { verb: 'update', kind: memberClusters, object: { ...cluster, status }, subresource: 'status' };
}
