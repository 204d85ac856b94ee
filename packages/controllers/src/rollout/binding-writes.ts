/** The writes to a binding. A rollout changes what the cluster gets; the scheduler's fields stay as they are. */
import {
  bindingConditions,
  bindingReasons,
  conditionOf,
  withCondition,
  withoutCondition,
  workFinalizer,
  type ApplyStrategy,
  type Binding,
  type Condition,
  type ConditionState,
  type PlacementFamily,
} from '@flotilla/api';
import { isJsonObject, jsonEquals, nextGeneration, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import type { StartedRollout } from '../family/started-rollouts.ts';
import type { OverrideNames } from '../overrides/matching-overrides.ts';

/** What a binding gets; absent parts stay as they are. */
export interface BindingChange {
  readonly applyStrategy?: ApplyStrategy;
  readonly resources?: { readonly latest: string; readonly overrides: OverrideNames };
  /** Whether the works controller's finalizer is added, which saves that controller a write. */
  readonly addsFinalizer?: boolean;
}

/** One patch for all parts that differ; none if nothing does. */
export function changed(
  { binding: kind }: PlacementFamily,
  binding: Readonly<Binding>,
  change: BindingChange,
): Write[] {
  const spec = specPatch(binding, change);
  if (Object.keys(spec).length === 0) return [];
  const { namespace, name = '', resourceVersion = '', finalizers = [] } = binding.metadata;
  const isMissing = change.addsFinalizer === true && !finalizers.includes(workFinalizer);
  const metadata = { resourceVersion, ...(isMissing && { finalizers: [...finalizers, workFinalizer] }) };
  return [{ verb: 'patch', kind, key: { namespace, name }, patch: { metadata, spec } }];
}

function specPatch({ spec }: Readonly<Binding>, { applyStrategy, resources }: BindingChange): JsonObject {
  const patch: JsonObject = {};
  if (applyStrategy !== undefined && !isSameStrategy(spec.applyStrategy, applyStrategy)) {
    patch['applyStrategy'] = replacing(spec.applyStrategy, applyStrategy);
  }
  if (resources === undefined) return patch;
  const { clusterResourceOverrideSnapshots, resourceOverrideSnapshots } = resources.overrides;
  return {
    ...patch,
    state: 'Bound',
    resourceSnapshotName: resources.latest,
    ...replacedList(spec, 'clusterResourceOverrideSnapshots', clusterResourceOverrideSnapshots),
    ...replacedList(spec, 'resourceOverrideSnapshots', resourceOverrideSnapshots),
  };
}

/** An empty list is absent, as in Go. */
function replacedList(spec: JsonObject, field: string, wanted: JsonValue[]): JsonObject {
  if (wanted.length > 0) return { [field]: wanted };
  return spec[field] === undefined ? {} : { [field]: null };
}

/** A merge patch that leaves nothing of the fields before. */
function replacing(before: ApplyStrategy | undefined, after: ApplyStrategy): JsonObject {
  const removed = Object.keys(before ?? {}).filter((field) => !Object.hasOwn(after, field));
  return { ...after, ...Object.fromEntries(removed.map((field) => [field, null])) };
}

/** An absent boolean is false, as in Go. */
export function isSameStrategy(a: ApplyStrategy | undefined, b: ApplyStrategy): boolean {
  return a !== undefined && (jsonEquals(a, b) || jsonEquals(comparable(a), comparable(b)));
}

function comparable({ allowCoOwnership = false, serverSideApplyConfig, ...rest }: ApplyStrategy): JsonObject {
  const config = serverSideApplyConfig && { serverSideApplyConfig: { force: serverSideApplyConfig.force ?? false } };
  return { ...rest, allowCoOwnership, ...config };
}

/** Removal is refused if the binding has changed: the scheduler may want the cluster again. */
export function deleted({ binding: kind }: PlacementFamily, { metadata }: Readonly<Binding>): Write {
  const { namespace, name = '', uid = '', resourceVersion = '' } = metadata;
  return { verb: 'delete', kind, key: { namespace, name }, uid, resourceVersion };
}

const notStartedMessage = 'The resources cannot be updated to the latest because of the rollout strategy';

/** Whether a rollout to the cluster has started, and by which update run, or why it waits forever. */
export type RolloutReport =
  | { readonly isStarted: true; readonly byRun?: UpdateRunReport }
  | { readonly isStarted: false; readonly endlessly?: string };

interface UpdateRunReport {
  readonly name: string;
  /** As the user gave it: may be empty. */
  readonly index: string;
}

/** Says whether the cluster has, or is getting, the latest resources. */
export function reported(
  family: PlacementFamily,
  binding: Readonly<Binding>,
  report: RolloutReport,
  now: Date,
): Write[] {
  const { resourceVersion = '', generation = 0 } = binding.metadata;
  const type = bindingConditions.rolloutStarted;
  const before = conditionOf(binding.status?.conditions, type);
  const isByRun = report.isStarted && report.byRun !== undefined;
  if (before && !isByRun && isInState(before, { type, observedGeneration: generation, ...stateOf(report) })) return [];
  const conditions = conditionsWith(binding, report, generation, now);
  if (jsonEquals(conditionOf(conditions, type) ?? null, before ?? null)) return [];
  return [statusPatch(family, binding, { resourceVersion }, conditions)];
}

/** The same, for the step after a change of the spec: about the generation that the change makes. */
export function reportedAfterChange(
  family: PlacementFamily,
  binding: Readonly<Binding>,
  report: RolloutReport,
  now: Date,
): Write {
  const { resourceVersion = '' } = binding.metadata;
  const conditions = conditionsWith(binding, report, nextGeneration(binding.metadata), now);
  return { ...statusPatch(family, binding, { resourceVersion }, conditions), isFollowUp: true };
}

/** What works may say in place of `reportedAfterChange`, after this change. */
export function startedBy(
  change: Write,
  binding: Readonly<Binding>,
  report: RolloutReport & { readonly isStarted: true },
  now: Date,
): StartedRollout[] {
  const spec = change.verb === 'patch' ? change.patch['spec'] : undefined;
  const conditions = conditionsWith(binding, report, nextGeneration(binding.metadata), now);
  const condition = conditionOf(conditions, bindingConditions.rolloutStarted);
  return isJsonObject(spec) && condition ? [{ binding, spec, condition }] : [];
}

function conditionsWith(
  { status }: Readonly<Binding>,
  report: RolloutReport,
  observedGeneration: number,
  now: Date,
): Condition[] {
  const type = bindingConditions.rolloutStarted;
  const before = status?.conditions ?? [];
  // Every update run starts anew, also if the condition is true already.
  const kept = report.isStarted && report.byRun ? withoutCondition(before, type) : before;
  return withCondition(kept, { type, observedGeneration, ...stateOf(report) }, now);
}

function isInState(condition: Condition, state: ConditionState): boolean {
  return (
    condition.status === state.status &&
    condition.reason === state.reason &&
    condition.message === state.message &&
    condition.observedGeneration === state.observedGeneration
  );
}

function stateOf(report: RolloutReport): Pick<ConditionState, 'status' | 'reason' | 'message'> {
  if (report.isStarted) {
    const { byRun } = report;
    const source = byRun ? `, resourceSnapshotIndex: ${byRun.index}, updateRun: ${byRun.name}` : '';
    const message = `Detected the new changes on the resources and started the rollout process${source}`;
    return { status: 'True', reason: bindingReasons.rolloutStarted, message };
  }
  const { endlessly } = report;
  const message = endlessly === undefined ? notStartedMessage : `${notStartedMessage}: ${endlessly}`;
  return { status: 'False', reason: bindingReasons.rolloutNotStarted, message };
}

function statusPatch(
  { binding: kind }: PlacementFamily,
  { metadata: { namespace, name = '' } }: Readonly<Binding>,
  metadata: JsonObject,
  conditions: Condition[],
): Write & { readonly verb: 'patch' } {
  const patch = { metadata, status: { conditions } };
  return { verb: 'patch', kind, key: { namespace, name }, subresource: 'status', patch };
}
