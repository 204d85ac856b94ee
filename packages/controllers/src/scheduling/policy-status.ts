/** The status of a policy snapshot: what the scheduler decided, for which generation of the placement. */
import {
  placementGenerationAnnotation,
  withCondition,
  type PlacementFamily,
  type PolicySnapshot,
  type PolicySnapshotStatus,
} from '@flotilla/api';
import type { Write } from '@flotilla/runtime';
import type { SchedulingOutcome } from '@flotilla/scheduler';

/** A write that changes nothing is skipped by the runtime. */
export function statusWrite(
  { policySnapshot: kind }: PlacementFamily,
  snapshot: Readonly<PolicySnapshot>,
  { decisions, condition }: SchedulingOutcome,
  now: Date,
): Write[] {
  const { metadata, status } = snapshot;
  const observedGeneration = metadata.generation ?? 0;
  const next: PolicySnapshotStatus = {
    observedCRPGeneration: observedPlacementGeneration(snapshot),
    ...(decisions.length > 0 && { targetClusters: [...decisions] }),
    conditions: withCondition(status?.conditions ?? [], { ...condition, observedGeneration }, now),
  };
  return [{ verb: 'update', kind, object: { ...snapshot, status: next }, subresource: 'status' }];
}

/** The generation that the placement controller wrote down when it last looked at the policy. */
function observedPlacementGeneration({ metadata: { annotations = {} }, status }: Readonly<PolicySnapshot>): number {
  const text = Object.hasOwn(annotations, placementGenerationAnnotation)
    ? annotations[placementGenerationAnnotation]
    : undefined;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : (status?.observedCRPGeneration ?? 0);
}
