/** The writes to a binding. A rollout changes what the cluster gets; the scheduler's fields stay as they are. */
import {
  bindingConditions,
  bindingReasons,
  conditionOf,
  withCondition,
  workFinalizer,
  type ApplyStrategy,
  type Binding,
  type ConditionState,
  type PlacementFamily,
} from '@flotilla/api';
import { jsonEquals, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
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
  return a !== undefined && jsonEquals(comparable(a), comparable(b));
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

/** Says that the cluster has, or is getting, the latest resources. */
export function started(family: PlacementFamily, binding: Readonly<Binding>, now: Date): Write[] {
  return withRolloutStarted(family, binding, now, {
    status: 'True',
    reason: bindingReasons.rolloutStarted,
    message: 'Detected the new changes on the resources and started the rollout process',
  });
}

/** Says that the cluster must wait for others; `why` if it would wait forever. */
export function notStarted(family: PlacementFamily, binding: Readonly<Binding>, now: Date, why?: string): Write[] {
  return withRolloutStarted(family, binding, now, {
    status: 'False',
    reason: bindingReasons.rolloutNotStarted,
    message: why === undefined ? notStartedMessage : `${notStartedMessage}: ${why}`,
  });
}

function withRolloutStarted(
  { binding: kind }: PlacementFamily,
  { metadata, status }: Readonly<Binding>,
  now: Date,
  state: Pick<ConditionState, 'status' | 'reason' | 'message'>,
): Write[] {
  const { namespace, name = '', resourceVersion = '', generation = 0 } = metadata;
  const before = status?.conditions ?? [];
  const type = bindingConditions.rolloutStarted;
  const conditions = withCondition(before, { type, observedGeneration: generation, ...state }, now);
  if (jsonEquals(conditionOf(conditions, type) ?? null, conditionOf(before, type) ?? null)) return [];
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  return [{ verb: 'patch', kind, key: { namespace, name }, subresource: 'status', patch }];
}
