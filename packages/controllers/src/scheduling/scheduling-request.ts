import { numberOfClustersAnnotation, type PolicySnapshot } from '@flotilla/api';
import type { SchedulingRequest } from '@flotilla/scheduler';

/** The request to decide by a policy snapshot, now. */
export function schedulingRequest(
  snapshot: Readonly<PolicySnapshot>,
  { namespace, clusters, bindings }: Pick<SchedulingRequest, 'namespace' | 'clusters' | 'bindings'>,
  now: Date,
): SchedulingRequest {
  return {
    policySnapshotName: snapshot.metadata.name ?? '',
    policy: snapshot.spec.policy,
    numberOfClusters: numberOfClusters(snapshot),
    namespace,
    clusters,
    bindings,
    previous: snapshot.status?.targetClusters,
    now,
  };
}

/** The annotation follows the placement; the number in the recorded policy does not. */
function numberOfClusters({ metadata: { annotations = {} } }: Readonly<PolicySnapshot>): number | undefined {
  const text = Object.hasOwn(annotations, numberOfClustersAnnotation) ? annotations[numberOfClustersAnnotation] : '';
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
