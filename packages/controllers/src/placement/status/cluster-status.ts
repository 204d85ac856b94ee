/** The status of a placement on one cluster, from the binding of that cluster. */
import {
  bindingConditions,
  conditionOf,
  perClusterConditions,
  placementReasons,
  type ApplyStrategy,
  type Binding,
  type ClusterDecision,
  type Condition,
  type PerClusterStatus,
} from '@flotilla/api';
import { jsonEquals } from '@flotilla/kube';
import { currentCondition, statusNow } from '../../family/binding-progress.ts';
import { withApplyDefaults } from '../../family/placement-defaults.ts';
import { rolloutBlockedText, rolloutTexts, type RolloutAspect, type Text } from './condition-texts.ts';

/** What the statuses of all clusters of a placement have in common. */
export interface Rollout {
  readonly generation: number;
  /** For new transition times. */
  readonly now: string;
  readonly expected: readonly RolloutAspect[];
  /** What bindings should have. Undefined if update runs decide that. */
  readonly target: { readonly snapshotName: string | undefined; readonly applyStrategy: ApplyStrategy } | undefined;
  /** The index of the resources that a cluster has, or gets; empty if there are none. */
  readonly indexFor: (binding: Readonly<Binding>) => string;
}

/** `before` is the stored status of the cluster. It is returned if nothing has changed. */
export function clusterStatus(
  decision: ClusterDecision,
  binding: Readonly<Binding> | undefined,
  before: PerClusterStatus | undefined,
  rollout: Rollout,
): PerClusterStatus {
  const conditions = new Conditions(before, rollout);
  const { scheduled } = placementReasons;
  conditions.add(perClusterConditions.scheduled, 'True', { reason: scheduled, message: decision.reason });
  const status: PerClusterStatus = { clusterName: decision.clusterName };
  if (binding === undefined) conditions.addPending('rolloutStarted');
  else addRollout(status, conditions, binding, rollout);
  status.conditions = conditions.list;
  return before !== undefined && jsonEquals(status, before) ? before : status;
}

/** A slot of the policy for which there is no cluster. */
export function unmetStatus(
  { reason: message }: ClusterDecision,
  before: PerClusterStatus | undefined,
  rollout: Rollout,
): PerClusterStatus {
  const conditions = new Conditions(before, rollout);
  conditions.add(perClusterConditions.scheduled, 'False', { reason: placementReasons.scheduleFailed, message });
  const status: PerClusterStatus = { conditions: conditions.list };
  return before !== undefined && jsonEquals(status, before) ? before : status;
}

function addRollout(
  status: PerClusterStatus,
  conditions: Conditions,
  binding: Readonly<Binding>,
  rollout: Rollout,
): void {
  const index = rollout.indexFor(binding);
  if (index !== '') status.observedResourceIndex = index;
  switch (stageOf(binding, rollout)) {
    case 'waiting':
      return conditions.addPending('rolloutStarted');
    case 'blocked':
      return conditions.add(perClusterConditions.rolloutStarted, 'False', rolloutBlockedText);
    case 'started':
      return addProgress(status, conditions, binding, rollout.expected);
  }
}

function stageOf({ spec, ...binding }: Readonly<Binding>, { target }: Rollout): 'waiting' | 'blocked' | 'started' {
  if (target === undefined) return 'started';
  if (spec.resourceSnapshotName !== target.snapshotName) {
    return statusNow({ spec, ...binding }, bindingConditions.rolloutStarted) === 'False' ? 'blocked' : 'waiting';
  }
  return isStrategy(spec.applyStrategy, target.applyStrategy) ? 'started' : 'waiting';
}

/**
 * Until the rollout has given the binding the placement's apply strategy, the binding's conditions are about the earlier one.
 * KubeFleet repeats them as if they were about the new one.
 */
function isStrategy(strategy: ApplyStrategy | undefined, wanted: ApplyStrategy): boolean {
  return strategy === undefined || jsonEquals(strategy, wanted) || jsonEquals(withApplyDefaults(strategy), wanted);
}

/** Repeats the binding's conditions up to the first that is not True. */
function addProgress(
  status: PerClusterStatus,
  conditions: Conditions,
  binding: Readonly<Binding>,
  expected: readonly RolloutAspect[],
): void {
  for (const aspect of expected) {
    const condition = currentCondition(binding, bindingConditions[aspect]);
    if (condition === undefined || condition.status === 'Unknown') return conditions.addPending(aspect);
    conditions.add(perClusterConditions[aspect], condition.status, condition);
    addDetails(status, aspect, condition.status === 'True', binding);
    if (condition.status === 'False') return;
  }
}

function addDetails(
  status: PerClusterStatus,
  aspect: RolloutAspect,
  isTrue: boolean,
  binding: Readonly<Binding>,
): void {
  const { failedPlacements, driftedPlacements, diffedPlacements } = binding.status ?? {};
  const { resourceOverrideSnapshots, clusterResourceOverrideSnapshots } = binding.spec;
  switch (aspect) {
    case 'rolloutStarted':
      if (!isTrue) return;
      if (hasAny(resourceOverrideSnapshots)) status.applicableResourceOverrides = resourceOverrideSnapshots;
      if (hasAny(clusterResourceOverrideSnapshots)) {
        status.applicableClusterResourceOverrides = clusterResourceOverrideSnapshots;
      }
      return;
    case 'applied':
    case 'available':
      // Objects drift whether or not all of them could be applied.
      if (hasAny(driftedPlacements)) status.driftedPlacements = driftedPlacements;
      if (isTrue) return;
      if (hasAny(failedPlacements)) status.failedPlacements = failedPlacements;
      if (hasAny(diffedPlacements)) status.diffedPlacements = diffedPlacements;
      return;
    case 'diffReported':
      if (isTrue && hasAny(diffedPlacements)) status.diffedPlacements = diffedPlacements;
      return;
    case 'overridden':
    case 'workSynchronized':
  }
}

function hasAny<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

/** The conditions of one cluster, in a fixed order. Those whose status is unchanged keep their transition time. */
class Conditions {
  readonly list: Condition[] = [];
  readonly #before: readonly Condition[];
  readonly #rollout: Rollout;

  constructor(before: PerClusterStatus | undefined, rollout: Rollout) {
    this.#before = before?.conditions ?? [];
    this.#rollout = rollout;
  }

  add(type: string, status: Condition['status'], { reason, message }: Text): void {
    const { generation: observedGeneration, now } = this.#rollout;
    const before = conditionOf(this.#before, type);
    const isUnchanged =
      before?.status === status &&
      before.observedGeneration === observedGeneration &&
      before.reason === reason &&
      before.message === message;
    if (isUnchanged) return void this.list.push(before);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    this.list.push({ type, status, observedGeneration, lastTransitionTime, reason, message });
  }

  addPending(aspect: RolloutAspect): void {
    const { pending, unknown } = rolloutTexts[aspect];
    this.add(perClusterConditions[aspect], 'Unknown', { reason: unknown(1).reason, message: pending });
  }
}
