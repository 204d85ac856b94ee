/** The deletion of a placement: its bindings are deleted before the placement loses the scheduler's finalizer. */
import { schedulerFinalizer, type Binding, type Placement } from '@flotilla/api';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { deleteBinding, releaseBinding } from './binding-writes.ts';
import { isDeleting, isHeld, withFinalizers } from './finalizer.ts';
import type { SchedulingState } from './scheduling-state.ts';

/**
 * Bindings whose Works still exist outlive the placement, held by the finalizer of the works controller. With the policy
 * Abandon they are marked before they are deleted, so that objects on the members stay. A binding that is removed for another
 * reason is not marked: members lose what a placement no longer wants there.
 */
export function deletePlacement({ family, bindings }: SchedulingState, placement: Readonly<Placement>): Plan {
  const isAbandoned = placement.spec.strategy?.deleteStrategy?.propagationPolicy === 'Abandon';
  const released = bindings.flatMap((binding): Write[] => {
    const isMarked = isAbandoned && !isDeleting(binding) && binding.spec.state !== 'Unscheduled';
    return isMarked || isHeld(binding) ? [releaseBinding(family, binding, isMarked)] : [];
  });
  const deleted = bindings.filter((binding) => !isDeleting(binding)).map((binding) => deleteBinding(family, binding));
  const finalizers = (placement.metadata.finalizers ?? []).filter((finalizer) => finalizer !== schedulerFinalizer);
  const hasFinalizer = finalizers.length !== (placement.metadata.finalizers ?? []).length;
  return { steps: [released, deleted, hasFinalizer ? [withFinalizers(family, placement, finalizers)] : []] };
}

/**
 * Bindings of a placement that is gone, for instance created by a replica that had lost its lease. One that was never rolled out
 * is deleted. Others stay: their objects run on members, and the placement may come back from a backup.
 */
export function cleanUpOrphans({ family, bindings }: SchedulingState): Plan {
  const orphans = bindings.filter((binding) => isDeleting(binding) || isUnused(binding));
  if (orphans.length === 0) return nothingToDo;
  const released = orphans.filter(isHeld).map((binding) => releaseBinding(family, binding));
  const deleted = orphans.filter((binding) => !isDeleting(binding)).map((binding) => deleteBinding(family, binding));
  return { steps: [released, deleted] };
}

function isUnused({ spec }: Readonly<Binding>): boolean {
  return spec.state === 'Scheduled' && spec.resourceSnapshotName === '';
}
