import { policyIndexLabel, type Placement, type PolicySnapshot } from '@flotilla/api';
import { indexIn, isLatest } from '../family/latest-snapshot.ts';

type Snapshot = Readonly<PolicySnapshot>;

/**
 * The snapshot to schedule by: the newest with the label. While none has it, the next one is about to be created, and the
 * decision waits for it. A placement that was deleted and created again does not follow the snapshots of the former one.
 */
export function latestPolicyOf(placement: Readonly<Placement>, snapshots: readonly Snapshot[]): Snapshot | undefined {
  const own = snapshots.filter((snapshot) => isLatest(snapshot) && isOf(placement, snapshot));
  return own.reduce<Snapshot | undefined>(
    (newest, one) => (newest === undefined || indexOf(one) > indexOf(newest) ? one : newest),
    undefined,
  );
}

/** Snapshots that another program made may have no owner. */
function isOf({ metadata: { uid } }: Readonly<Placement>, { metadata: { ownerReferences = [] } }: Snapshot): boolean {
  const controller = ownerReferences.find((owner) => owner.controller === true);
  return controller === undefined || controller.uid === uid;
}

/** Programs other than KubeFleet may leave the index out. */
function indexOf(snapshot: Snapshot): number {
  return indexIn(snapshot, policyIndexLabel) ?? -1;
}
