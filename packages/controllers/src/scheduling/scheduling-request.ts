import { numberOfClustersAnnotation, type PolicySnapshot } from '@flotilla/api';
import type { SchedulingRequest } from '@flotilla/scheduler';
import type { CandidateClusters } from './candidate-clusters.ts';

export interface RequestInputs extends Pick<SchedulingRequest, 'namespace' | 'clusters' | 'bindings'> {
  readonly candidates?: CandidateClusters | undefined;
}

/** The request to decide by a policy snapshot, now. */
export function schedulingRequest(
  snapshot: Readonly<PolicySnapshot>,
  { namespace, clusters, bindings, candidates }: RequestInputs,
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
    ...(candidates && { candidates: candidates.names, keepsOthers: candidates.problem !== undefined }),
  };
}

/** The annotation follows the placement; the number in the recorded policy does not. */
function numberOfClusters({ metadata: { annotations = {} } }: Readonly<PolicySnapshot>): number | undefined {
  const text = Object.hasOwn(annotations, numberOfClustersAnnotation) ? annotations[numberOfClustersAnnotation] : '';
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
