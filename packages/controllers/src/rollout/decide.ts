import type { ApplyStrategy, Binding, Placement, PlacementFamily } from '@flotilla/api';
import { nothingToDo, type Plan, type PlannedEvent, type Write } from '@flotilla/runtime';
import { withPlacementDefaults } from '../family/placement-defaults.ts';
import { changed, deleted, notStarted, started } from './binding-writes.ts';
import { choose, targetNumber, type Chosen, type Limits } from './budget.ts';
import { classify, type Classified } from './classify.ts';
import { findClusterConflict } from './cluster-conflict.ts';
import type { WantedOverrides } from './wanted-overrides.ts';

export interface RolloutState {
  readonly family: PlacementFamily;
  readonly placement: Readonly<Placement>;
  /** In the order of their names, which is the order of the rollout. */
  readonly bindings: readonly Readonly<Binding>[];
  /** What to roll out; undefined if there is nothing yet, `unread` if the snapshots are not read yet. */
  readonly resources: LatestResources | 'unread' | undefined;
  /** Whether bindings get the works controller's finalizer together with their first resources. */
  readonly addsFinalizer: boolean;
}

export interface LatestResources {
  /** Name of the first snapshot of the latest group. */
  readonly latest: string;
  readonly overrides: WantedOverrides;
}

/** Brings the latest resources to the chosen clusters, a few at a time, and removes them from the others. */
export function decideRollout(state: RolloutState, now: Date): Plan {
  const { placement, bindings, resources } = state;
  const { policy, strategy } = withPlacementDefaults(placement.spec);
  if (strategy.type !== 'RollingUpdate') return nothingToDo;
  if (resources === 'unread') return { steps: [], requeueAfterMs: 1 };
  const conflict = findClusterConflict(bindings);
  if (conflict !== undefined || resources === undefined) {
    const events = conflict?.endsByItself === false ? { events: [blocked(placement, conflict.message)] } : {};
    return {
      steps: [livingOf(bindings).flatMap((binding) => pushed(state, binding, strategy.applyStrategy))],
      ...events,
    };
  }
  const { applyStrategy, rollingUpdate } = strategy;
  const unavailablePeriodMs = (rollingUpdate?.unavailablePeriodSeconds ?? 0) * 1000;
  const classified = classify(bindings, { ...resources, unavailablePeriodMs, now });
  const chosen = choose(classified, targetNumber(policy, classified), rollingUpdate);
  const round: Round = { state, resources, applyStrategy, now };
  const { readyInMs } = classified;
  return {
    steps: [writesOf(round, classified, chosen)],
    ...(readyInMs !== undefined && isWaiting(classified, chosen) && { requeueAfterMs: readyInMs }),
  };
}

/** Whether something would happen if another cluster became ready. */
function isWaiting({ leaving, unreadyLeaving }: Classified, chosen: Chosen): boolean {
  const { waitingToUpdate, waitingToBind, removals } = chosen;
  return waitingToUpdate.length + waitingToBind.length > 0 || removals.length < leaving.length + unreadyLeaving.length;
}

interface Round {
  readonly state: RolloutState;
  readonly resources: LatestResources;
  readonly applyStrategy: ApplyStrategy;
  readonly now: Date;
}

/**
 * At most one write for each binding. The condition RolloutStarted follows a change of the spec in the next round, because it names the
 * generation that the change makes.
 */
function writesOf(round: Round, { upToDate }: Classified, chosen: Chosen): Write[] {
  const { state, resources, applyStrategy, now } = round;
  const { family, bindings, addsFinalizer } = state;
  const written = new Map<Readonly<Binding>, Write[]>();
  for (const binding of chosen.removals) written.set(binding, [deleted(family, binding)]);
  for (const { binding, overrides } of chosen.changes) {
    const change = { applyStrategy, resources: { latest: resources.latest, overrides }, addsFinalizer };
    written.set(binding, changed(family, binding, change));
  }
  // The strategy is for all clusters at once, whatever the limits.
  for (const binding of livingOf(bindings)) {
    if (!written.has(binding)) written.set(binding, pushed(state, binding, applyStrategy));
  }
  const orIf = (binding: Readonly<Binding>, status: () => Write[]): void => {
    if (written.get(binding)?.length === 0) written.set(binding, status());
  };
  for (const binding of upToDate) orIf(binding, () => started(family, binding, now));
  const { updates, binds } = endlessWaits(chosen.limits);
  for (const { binding } of chosen.waitingToUpdate) orIf(binding, () => notStarted(family, binding, now, updates));
  for (const { binding } of chosen.waitingToBind) orIf(binding, () => notStarted(family, binding, now, binds));
  return withEvent([...written.values()].flat(), round, chosen);
}

function livingOf(bindings: readonly Readonly<Binding>[]): readonly Readonly<Binding>[] {
  return bindings.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

function pushed({ family }: RolloutState, binding: Readonly<Binding>, applyStrategy: ApplyStrategy): Write[] {
  return changed(family, binding, { applyStrategy });
}

/** Why bindings wait forever, if they do. Admission refuses limits that are both 0; stored placements may have them. */
function endlessWaits({ maxUnavailable, maxSurge }: Limits): { readonly updates?: string; readonly binds?: string } {
  if (maxUnavailable > 0) return {};
  if (maxSurge > 0) return { updates: 'maxUnavailable is 0, and a cluster is unavailable while it is updated' };
  const both = 'maxUnavailable and maxSurge are both 0';
  return { updates: both, binds: both };
}

/** The user learns of an endless wait once: with the write that starts it. */
function withEvent(writes: Write[], { state }: Round, { waitingToUpdate, waitingToBind, limits }: Chosen): Write[] {
  const { updates, binds } = endlessWaits(limits);
  const why = waitingToUpdate.length > 0 ? updates : waitingToBind.length > 0 ? binds : undefined;
  const index = writes.findIndex((write) => write.verb === 'patch' && write.subresource === 'status');
  const first = writes[index];
  if (why === undefined || first === undefined) return writes;
  return writes.with(index, { ...first, event: blocked(state.placement, why) });
}

function blocked(placement: Readonly<Placement>, message: string): PlannedEvent {
  return {
    about: placement,
    type: 'Warning',
    reason: 'RolloutBlocked',
    message: `The rollout cannot go on: ${message}`,
  };
}
