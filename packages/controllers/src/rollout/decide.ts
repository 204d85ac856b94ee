import type { ApplyStrategy, Binding, Placement, PlacementFamily } from '@flotilla/api';
import { pushAll } from '@flotilla/kube';
import { nothingToDo, type PlannedEvent, type Write } from '@flotilla/runtime';
import { withPlacementDefaults } from '../family/placement-defaults.ts';
import { leftToWorksMs, type LeftToWorks, type StartedRollout, type StartingPlan } from '../family/started-rollouts.ts';
import { changed, deleted, reported, reportedAfterChange, startedBy, type RolloutReport } from './binding-writes.ts';
import { choose, targetNumber, type Chosen, type Limits } from './budget.ts';
import { classify, type Classified } from './classify.ts';
import { findClusterConflict } from './cluster-conflict.ts';
import type { WantedOverrides } from './wanted-overrides.ts';

export interface RolloutState extends LeftToWorks {
  readonly family: PlacementFamily;
  readonly placement: Readonly<Placement>;
  /** In the order of their names, which is the order of the rollout. */
  readonly bindings: readonly Readonly<Binding>[];
  /** What to roll out; undefined if there is nothing yet, `unread` if the snapshots are not read yet. */
  readonly resources: LatestResources | 'unread' | undefined;
  /** Whether works runs in this process: bindings get its finalizer together with their first resources, and it may say that they are rolled out. */
  readonly isWithWorks: boolean;
}

export interface LatestResources {
  /** Name of the first snapshot of the latest group. */
  readonly latest: string;
  readonly overrides: WantedOverrides;
}

/** Brings the latest resources to the chosen clusters, a few at a time, and removes them from the others. */
export function decideRollout(state: RolloutState, now: Date): StartingPlan {
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
  const { steps, started } = writesOf(round, classified, chosen);
  const readyInMs = isWaiting(classified, chosen) ? classified.readyInMs : undefined;
  const leftForMs = started.length > 0 ? leftToWorksMs : state.leftForMs;
  const requeueAfterMs = Math.min(readyInMs ?? Infinity, leftForMs ?? Infinity);
  return {
    steps,
    ...(started.length > 0 && { started }),
    ...(requeueAfterMs !== Infinity && { requeueAfterMs }),
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

/** What a binding gets, and what its condition RolloutStarted says then. */
interface Outcome {
  readonly write?: Write | undefined;
  readonly report?: RolloutReport;
}

interface Writes {
  readonly steps: Write[][];
  readonly started: StartedRollout[];
}

/** Specs first. The condition follows at once, unless works may say it: it names the generation that the change makes. */
function writesOf(round: Round, { upToDate }: Classified, chosen: Chosen): Writes {
  const { state, resources, applyStrategy, now } = round;
  const { family, bindings, isWithWorks } = state;
  const outcomes = new Map<Readonly<Binding>, Outcome>();
  // The strategy is for all clusters at once, whatever the limits.
  for (const binding of livingOf(bindings)) outcomes.set(binding, { write: pushed(state, binding, applyStrategy)[0] });
  const report = (binding: Readonly<Binding>, what: RolloutReport): void => {
    outcomes.set(binding, { ...outcomes.get(binding), report: what });
  };
  const waits = endlessWaits(chosen.limits);
  for (const binding of upToDate) report(binding, { isStarted: true });
  for (const { binding } of chosen.waitingToUpdate) report(binding, { isStarted: false, ...waits.updates });
  for (const { binding } of chosen.waitingToBind) report(binding, { isStarted: false, ...waits.binds });
  for (const binding of chosen.removals) outcomes.set(binding, { write: deleted(family, binding) });
  for (const { binding, overrides } of chosen.changes) {
    const change = { applyStrategy, resources: { latest: resources.latest, overrides }, addsFinalizer: isWithWorks };
    outcomes.set(binding, { write: changed(family, binding, change)[0], report: { isStarted: true } });
  }
  const first: Write[] = [];
  const second: Write[] = [];
  const started: StartedRollout[] = [];
  for (const [binding, { write, report: what }] of outcomes) {
    if (write !== undefined) first.push(write);
    if (what === undefined) continue;
    if (write === undefined) pushAll(first, reported(family, binding, what, now));
    else if (isWithWorks && what.isStarted) pushAll(started, startedBy(write, binding, what, now));
    else second.push(reportedAfterChange(family, binding, what, now));
  }
  const why = endlessWaitOf(chosen, waits);
  return { steps: [why === undefined ? first : withEvent(first, blocked(state.placement, why)), second], started };
}

function endlessWaitOf(
  { waitingToUpdate, waitingToBind }: Chosen,
  { updates, binds }: EndlessWaits,
): string | undefined {
  if (waitingToUpdate.length > 0) return updates?.endlessly;
  return waitingToBind.length > 0 ? binds?.endlessly : undefined;
}

/** The user learns of an endless wait with the writes that start it. */
function withEvent(writes: Write[], event: PlannedEvent): Write[] {
  const index = writes.findIndex((write) => write.verb === 'patch' && write.subresource === 'status');
  const write = writes[index];
  return write === undefined ? writes : writes.with(index, { ...write, event });
}

function livingOf(bindings: readonly Readonly<Binding>[]): readonly Readonly<Binding>[] {
  return bindings.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

function pushed({ family }: RolloutState, binding: Readonly<Binding>, applyStrategy: ApplyStrategy): Write[] {
  return changed(family, binding, { applyStrategy });
}

interface EndlessWaits {
  readonly updates?: { readonly endlessly: string };
  readonly binds?: { readonly endlessly: string };
}

/** Why bindings wait forever, if they do. Admission refuses limits that are both 0; stored placements may have them. */
function endlessWaits({ isNoneUnavailable, isNoneAbove }: Limits): EndlessWaits {
  if (!isNoneUnavailable) return {};
  const both = { endlessly: 'maxUnavailable and maxSurge are both 0' };
  if (isNoneAbove) return { updates: both, binds: both };
  return { updates: { endlessly: 'maxUnavailable is 0, and a cluster is unavailable while it is updated' } };
}

function blocked(placement: Readonly<Placement>, message: string): PlannedEvent {
  return {
    about: placement,
    type: 'Warning',
    reason: 'RolloutBlocked',
    message: `The rollout cannot go on: ${message}`,
  };
}
