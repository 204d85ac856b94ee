import type { Binding } from '@flotilla/api';
import type { Kind, KubeObject } from '@flotilla/kube';
import { indexIn } from '../family/latest-snapshot.ts';
import type { PlacementState } from './placement-state.ts';
import { isBeingDeleted, nameOf } from './snapshot-objects.ts';

export interface IndexedSnapshots {
  readonly kind: Kind;
  readonly snapshots: readonly Readonly<KubeObject>[];
  readonly indexLabel: string;
  readonly nameOf: (placement: string, index: number) => string;
  /** The name of the snapshot that a binding uses. */
  readonly namedBy: (binding: Readonly<Binding>) => string | undefined;
}

/** No placement has so many revisions: a user made it up, and the next one would no longer fit into a label that is read. */
const maxIndex = 1_000_000_000;

/**
 * The index of the next snapshot. It is above all that exist and all that bindings use: a snapshot which a user deleted must not be
 * replaced by another of the same name, since bindings would take it for the one that they have.
 */
export function nextIndex({ placement, bindings, isTaken }: PlacementState, indexed: IndexedSnapshots): number {
  const used = [
    ...indexed.snapshots.map((snapshot) => indexIn(snapshot, indexed.indexLabel) ?? -1),
    ...bindings
      .filter((binding) => !isBeingDeleted(binding))
      .map((binding) => indexInName(indexed, placement, binding)),
  ];
  const real = used.filter((index) => index < maxIndex);
  let index = real.reduce((highest, one) => Math.max(highest, one), -1) + 1;
  // By a snapshot that lost its labels.
  while (isTaken(indexed.kind, indexed.nameOf(nameOf(placement), index))) index++;
  return index;
}

function indexInName(
  { nameOf: nameFor, namedBy }: IndexedSnapshots,
  placement: Readonly<KubeObject>,
  binding: Readonly<Binding>,
): number {
  const name = namedBy(binding) ?? '';
  const digits = /^\d{1,15}/.exec(name.slice(nameOf(placement).length + 1))?.[0];
  if (digits === undefined) return -1;
  const index = Number(digits);
  return nameFor(nameOf(placement), index) === name ? index : -1;
}
