import { numberOfClustersAnnotation, schedulerFinalizer, type Placement, type PolicySnapshot } from '@flotilla/api';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import type { Scheduler, SchedulingOutcome } from '@flotilla/scheduler';
import { releaseBinding, writeOf } from './binding-writes.ts';
import { cleanUpOrphans, deletePlacement } from './deletion.ts';
import { isDeleting, isHeld, withFinalizers } from './finalizer.ts';
import { statusWrite } from './policy-status.ts';
import type { SchedulingState } from './scheduling-state.ts';

/** Turns the scheduler's outcome into writes: the placement's finalizer, bindings, the status of the policy snapshot. */
export function decideScheduling(state: SchedulingState, scheduler: Scheduler, now: Date): Plan {
  const { placement, policySnapshot } = state;
  if (placement === undefined) return cleanUpOrphans(state);
  if (isDeleting(placement)) return deletePlacement(state, placement);
  // The placement controller creates one, which requeues the placement.
  if (policySnapshot === undefined || isDeleting(policySnapshot)) return releaseDeleted(state);
  const outcome = scheduler.schedule(requestOf(state, policySnapshot, now));
  return {
    steps: [
      finalizerOf(state, placement),
      ...bindingSteps(state, placement, outcome),
      statusWrite(state.family, policySnapshot, outcome, now),
    ],
  };
}

function requestOf(state: SchedulingState, snapshot: Readonly<PolicySnapshot>, now: Date) {
  const { key, clusters, bindings } = state;
  return {
    policySnapshotName: snapshot.metadata.name ?? '',
    policy: snapshot.spec.policy,
    numberOfClusters: numberOfClusters(snapshot),
    namespace: key.namespace,
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

/** No binding exists without this finalizer, else the deletion of the placement could leave it behind. */
function finalizerOf({ family }: SchedulingState, placement: Readonly<Placement>): Write[] {
  const { finalizers = [] } = placement.metadata;
  return finalizers.includes(schedulerFinalizer)
    ? []
    : [withFinalizers(family, placement, [...finalizers, schedulerFinalizer])];
}

/** New clusters first: the rollout should know them before it removes others. */
function bindingSteps(
  state: SchedulingState,
  placement: Readonly<Placement>,
  { changes }: SchedulingOutcome,
): Write[][] {
  const { uid = '' } = placement.metadata;
  const writesOf = (isRemoval: boolean): Write[] =>
    changes
      .filter((change) => (change.type === 'unschedule') === isRemoval)
      .map((change) => writeOf(state, uid, change));
  return [writesOf(false), writesOf(true)];
}

function releaseDeleted({ family, bindings }: SchedulingState): Plan {
  const released = bindings.filter((binding) => isDeleting(binding) && isHeld(binding));
  return released.length === 0 ? nothingToDo : { steps: [released.map((binding) => releaseBinding(family, binding))] };
}
