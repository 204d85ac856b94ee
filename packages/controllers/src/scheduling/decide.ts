import { schedulerFinalizer, type Binding, type Placement } from '@flotilla/api';
import { compareBytes } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import type { Scheduler, SchedulingOutcome } from '@flotilla/scheduler';
import type { StartedRollout, StartingPlan } from '../family/started-rollouts.ts';
import { boundAtOnce } from '../rollout/bound-at-once.ts';
import { releaseBinding, writeOf } from './binding-writes.ts';
import { cleanUpOrphans, deletePlacement } from './deletion.ts';
import { isDeleting, isHeld, withFinalizers } from './finalizer.ts';
import { statusWrite } from './policy-status.ts';
import { schedulingRequest } from './scheduling-request.ts';
import type { SchedulingState } from './scheduling-state.ts';

/** Turns the scheduler's outcome into writes: the placement's finalizer, bindings, the status of the policy snapshot. */
export function decideScheduling(state: SchedulingState, scheduler: Scheduler, now: Date): StartingPlan {
  const { placement, policySnapshot } = state;
  if (placement === undefined) return cleanUpOrphans(state);
  if (isDeleting(placement)) return deletePlacement(state, placement);
  // The placement controller creates one, which requeues the placement.
  if (policySnapshot === undefined || isDeleting(policySnapshot)) return releaseDeleted(state);
  const { key, clusters, bindings, candidates } = state;
  const inputs = { namespace: key.namespace, clusters, bindings, candidates };
  const outcome = withProblem(scheduler.schedule(schedulingRequest(policySnapshot, inputs, now)), candidates?.problem);
  const [changes = [], ...removals] = bindingSteps(state, placement, outcome);
  const { writes, started } = withFirstRollout(state, changes, now);
  return {
    steps: [
      finalizerOf(state, placement),
      writes,
      ...removals,
      statusWrite(state.family, policySnapshot, outcome, now),
    ],
    ...(started.length > 0 && { started }),
  };
}

function withProblem(outcome: SchedulingOutcome, problem: string | undefined): SchedulingOutcome {
  if (problem === undefined) return outcome;
  return { ...outcome, condition: { ...outcome.condition, message: `${outcome.condition.message}; ${problem}` } };
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

/** The first clusters of a placement get their resources with their bindings, as far as the rollout may begin with them. */
function withFirstRollout(
  { family, bindings: existing, firstRollout }: SchedulingState,
  writes: readonly Write[],
  now: Date,
): { readonly writes: readonly Write[]; readonly started: readonly StartedRollout[] } {
  if (firstRollout === undefined || existing.length > 0) return { writes, started: [] };
  const created = writes.flatMap((write) => (write.verb === 'create' ? [write.object as Binding] : []));
  const { bindings, started } = boundAtOnce(firstRollout(created.sort(byName)), now);
  return { writes: bindings.map((object) => ({ verb: 'create', kind: family.binding, object })), started };
}

function byName(a: Readonly<Binding>, b: Readonly<Binding>): number {
  return compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}

function releaseDeleted({ family, bindings }: SchedulingState): Plan {
  const released = bindings.filter((binding) => isDeleting(binding) && isHeld(binding));
  return released.length === 0 ? nothingToDo : { steps: [released.map((binding) => releaseBinding(family, binding))] };
}
