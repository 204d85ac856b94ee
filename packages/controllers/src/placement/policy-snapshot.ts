/** The policy of a placement as a snapshot: the scheduler reads it, never the placement. */
import { latestLabel, policyIndexLabel, policySnapshotName } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { isLatest, latestPolicySnapshotOf } from '../family/latest-snapshot.ts';
import { nextIndex } from './next-index.ts';
import type { PlacementState } from './placement-state.ts';
import { policyHashOf } from './policy-hash.ts';
import { isBeingDeleted, nameOf, patchOf, policyAnnotations, policySnapshotOf } from './snapshot-objects.ts';

/**
 * The writes that make the latest snapshot that of the policy. A policy that differs only in the number of clusters keeps its
 * snapshot.
 */
export function policySnapshotSteps(state: PlacementState): readonly (readonly Write[])[] {
  const { family, placement } = state;
  const present = state.policySnapshots.filter((snapshot) => !isBeingDeleted(snapshot));
  const latest = latestPolicySnapshotOf(present);
  const hash = policyHashOf(placement.spec.policy);
  if (latest !== undefined && state.policySnapshot(nameOf(latest))?.spec.policyHash === hash) {
    const others = present.filter((snapshot) => snapshot !== latest);
    return [withoutLabel(state, others), inPlace(state, latest)];
  }
  const index = nextIndex(state, {
    kind: family.policySnapshot,
    snapshots: state.policySnapshots,
    indexLabel: policyIndexLabel,
    nameOf: policySnapshotName,
    namedBy: ({ spec }) => spec.schedulingPolicySnapshotName,
  });
  const object = policySnapshotOf(state, index, hash);
  return [withoutLabel(state, present), [{ verb: 'create', kind: family.policySnapshot, object }]];
}

/** Takes the label from the snapshots that have it. */
function withoutLabel({ family }: PlacementState, snapshots: readonly Readonly<KubeObject>[]): readonly Write[] {
  return snapshots
    .filter(isLatest)
    .map((snapshot) => patchOf(family.policySnapshot, snapshot, { labels: { [latestLabel]: 'false' } }));
}

/** One write for all that changed. */
function inPlace({ family, placement }: PlacementState, latest: Readonly<KubeObject>): readonly Write[] {
  const { annotations: existing = {} } = latest.metadata;
  const annotations = policyAnnotations(placement);
  const isCurrent = Object.entries(annotations).every(
    ([name, value]) => Object.hasOwn(existing, name) && existing[name] === value,
  );
  if (isCurrent && isLatest(latest)) return [];
  return [patchOf(family.policySnapshot, latest, { labels: { [latestLabel]: 'true' }, annotations })];
}
