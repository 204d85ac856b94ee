import { placementFinalizer } from '@flotilla/api';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import type { PlacementState } from './placement-state.ts';
import { deletionsOf, nameOf } from './snapshot-objects.ts';

/** Deletes all snapshots of a placement, also those of an earlier one of its name, then removes the finalizer. Bindings are the scheduler's. */
export function decideDeletion(state: PlacementState): Plan {
  const { family, placement, policySnapshots, resourceSnapshots } = state;
  const { namespace, finalizers = [], resourceVersion = '' } = placement.metadata;
  if (!finalizers.includes(placementFinalizer)) return nothingToDo;
  const others = finalizers.filter((finalizer) => finalizer !== placementFinalizer);
  const removal: Write = {
    verb: 'patch',
    kind: family.placement,
    key: { namespace, name: nameOf(placement) },
    patch: { metadata: { resourceVersion, finalizers: others.length === 0 ? null : others } },
  };
  return {
    steps: [
      [
        ...deletionsOf(family.policySnapshot, policySnapshots),
        ...deletionsOf(family.resourceSnapshot, resourceSnapshots),
      ],
      [removal],
    ],
    events: [
      {
        about: placement,
        type: 'Normal',
        reason: 'PlacementCleanupFinalizerRemoved',
        message: 'Deleted the snapshots and removed the placement cleanup finalizer',
      },
    ],
  };
}
