/** Which old snapshots a placement no longer keeps. */
import { policyIndexLabel, resourceIndexLabel, resourceSnapshotName, type Binding } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { indexIn, isMaster } from '../family/latest-snapshot.ts';
import { withPlacementDefaults } from '../family/placement-defaults.ts';
import type { PlacementState } from './placement-state.ts';
import { deletionsOf, nameOf } from './snapshot-objects.ts';

/**
 * Deletes snapshots beyond the history limit. KubeFleet also deletes those that bindings still use; here they stay until the last
 * binding has left them. With a limit of 1 users want no history at all, and KubeFleet's e2e suite expects used resource snapshots to
 * be deleted then: Works keep what they have.
 */
export function historyDeletions(state: PlacementState): readonly Write[] {
  return [...policyDeletions(state), ...resourceDeletions(state)];
}

function policyDeletions({ family, placement, policySnapshots, bindings }: PlacementState): Write[] {
  const surplus = beyondLimit(policySnapshots, policyIndexLabel, limitOf(placement));
  if (surplus.length === 0) return [];
  const used = namesIn(bindings, ({ spec }) => spec.schedulingPolicySnapshotName);
  return deletionsOf(
    family.policySnapshot,
    surplus.filter((snapshot) => !used.has(nameOf(snapshot))),
  );
}

/** Also deletes what is left of a group without its first snapshot, which is created first: nothing can use it. */
function resourceDeletions({ family, placement, resourceSnapshots, bindings }: PlacementState): Write[] {
  const masters = resourceSnapshots.filter(isMaster);
  const surplus = new Set(indexesOf(beyondLimit(masters, resourceIndexLabel, limitOf(placement))));
  const complete = new Set(indexesOf(masters));
  const isSurplus = (snapshot: Readonly<KubeObject>): boolean => {
    const index = indexIn(snapshot, resourceIndexLabel);
    return index !== undefined && (surplus.has(index) || !complete.has(index));
  };
  const found = resourceSnapshots.filter(isSurplus);
  if (found.length === 0) return [];
  if (limitOf(placement) === 1) return deletionsOf(family.resourceSnapshot, found);
  const used = namesIn(bindings, ({ spec }) => spec.resourceSnapshotName);
  const isUsed = (snapshot: Readonly<KubeObject>): boolean =>
    used.has(resourceSnapshotName(nameOf(placement), indexIn(snapshot, resourceIndexLabel) ?? -1));
  return deletionsOf(
    family.resourceSnapshot,
    found.filter((snapshot) => !isUsed(snapshot)),
  );
}

/** Of an object that passed no admission it may be anything. */
function limitOf({ spec }: PlacementState['placement']): number {
  return Math.max(1, withPlacementDefaults(spec).revisionHistoryLimit);
}

/** All but the newest ones. */
function beyondLimit(
  snapshots: readonly Readonly<KubeObject>[],
  label: string,
  limit: number,
): readonly Readonly<KubeObject>[] {
  if (snapshots.length <= limit) return [];
  return snapshots.toSorted((a, b) => (indexIn(b, label) ?? -1) - (indexIn(a, label) ?? -1)).slice(limit);
}

function indexesOf(snapshots: readonly Readonly<KubeObject>[]): number[] {
  return snapshots.flatMap((snapshot) => indexIn(snapshot, resourceIndexLabel) ?? []);
}

function namesIn(
  bindings: readonly Readonly<Binding>[],
  nameIn: (binding: Readonly<Binding>) => string | undefined,
): ReadonlySet<string | undefined> {
  return new Set(bindings.map(nameIn));
}
