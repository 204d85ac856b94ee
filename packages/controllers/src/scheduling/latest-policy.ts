import { policyIndexLabel, type Placement, type PolicySnapshot } from '@flotilla/api';
import { indexIn, isLatest } from '../family/latest-snapshot.ts';
import { isOfAnother } from '../family/owner.ts';

type Snapshot = Readonly<PolicySnapshot>;

/**
 * The snapshot to schedule by: the newest with the label. While none has it, the next one is about to be created, and the
 * decision waits for it. Snapshots of an earlier placement of the same name do not count.
 */
export function latestPolicyOf(
  { metadata }: Readonly<Placement>,
  snapshots: readonly Snapshot[],
): Snapshot | undefined {
  const own = snapshots.filter((snapshot) => isLatest(snapshot) && !isOfAnother(snapshot, metadata.uid));
  return own.reduce<Snapshot | undefined>(
    (newest, one) => (newest === undefined || indexOf(one) > indexOf(newest) ? one : newest),
    undefined,
  );
}

/** Programs other than KubeFleet may leave the index out. */
function indexOf(snapshot: Snapshot): number {
  return indexIn(snapshot, policyIndexLabel) ?? -1;
}
