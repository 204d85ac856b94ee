/** The part of a binding's status that this controller owns: all but RolloutStarted, which it writes for others. */
import {
  bindingConditions,
  bindingReasons,
  conditionOf,
  withCondition,
  withoutCondition,
  type Binding,
  type BindingStatus,
  type Condition,
  type ConditionState,
  type PlacementFamily,
} from '@flotilla/api';
import { formatTime } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { cutText } from '../bounded-text.ts';
import type { Report } from './collect-report.ts';
import type { SyncFailure } from './sync-failure.ts';

/** The server refuses longer messages of conditions. */
const maxMessageBytes = 16 * 1024;

/** The Works could not be made. Nothing is known of what they report. */
export function failureReport(binding: Readonly<Binding>, { step, message }: SyncFailure): Report {
  const observedGeneration = binding.metadata.generation ?? 0;
  const state: ConditionState =
    step === 'Overridden'
      ? {
          type: bindingConditions.overridden,
          status: 'False',
          reason: bindingReasons.overrideFailed,
          message: cutText(`Failed to apply the override rules on the resources: ${message}`, maxMessageBytes),
          observedGeneration,
        }
      : {
          type: bindingConditions.workSynchronized,
          status: 'False',
          reason: bindingReasons.workSyncFailed,
          message: cutText(`Failed to synchronize the work to the latest: ${message}`, maxMessageBytes),
          observedGeneration,
        };
  return { conditions: step === 'Overridden' ? [state] : [overridden(binding), state], outcomes: {} };
}

/** The Works are as they should be, and this is what they report. */
export function syncedReport(binding: Readonly<Binding>, report: Report): Report {
  const synced: ConditionState = {
    type: bindingConditions.workSynchronized,
    status: 'True',
    reason: bindingReasons.workSynced,
    message: 'All of the works are synchronized to the latest',
    observedGeneration: binding.metadata.generation ?? 0,
  };
  return { ...report, conditions: [overridden(binding), synced, ...report.conditions] };
}

function overridden({ metadata, spec }: Readonly<Binding>): ConditionState {
  const { clusterResourceOverrideSnapshots = [], resourceOverrideSnapshots = [] } = spec;
  const isNone = clusterResourceOverrideSnapshots.length + resourceOverrideSnapshots.length === 0;
  return {
    type: bindingConditions.overridden,
    status: 'True',
    reason: isNone ? bindingReasons.noOverride : bindingReasons.overridden,
    message: isNone
      ? 'No override rules are configured for the selected resources'
      : 'Successfully applied the override rules on the resources',
    observedGeneration: metadata.generation ?? 0,
  };
}

const ownTypes = [
  bindingConditions.overridden,
  bindingConditions.workSynchronized,
  bindingConditions.applied,
  bindingConditions.available,
  bindingConditions.diffReported,
];

/** Writes the status with the version that was observed: the rollout controller writes it, too. */
export function statusWrite(
  { binding: kind }: PlacementFamily,
  binding: Readonly<Binding>,
  report: Report,
  now: Date,
): Write {
  const status = statusOf(binding, report, now);
  return { verb: 'update', kind, object: { ...binding, status }, subresource: 'status' };
}

/** Transition times survive while the status is the same, where KubeFleet resets them with every reconcile. */
export function statusOf({ status }: Readonly<Binding>, { conditions, outcomes }: Report, now: Date): BindingStatus {
  const reported = new Set(conditions.map(({ type }) => type));
  const before = (status?.conditions ?? []).map((condition) => restarted(condition, conditions, now));
  const kept = ownTypes
    .filter((type) => !reported.has(type))
    .reduce<Condition[]>((all, type) => withoutCondition(all, type), before);
  return {
    conditions: conditions.reduce((all, state) => withCondition(all, state, now), kept),
    ...outcomes,
  };
}

/**
 * Resources whose availability cannot be tracked count as available some time after they were applied, and the time of this condition
 * says when that was. The states between two generations are not always written, so a new generation starts the time anew.
 */
function restarted(condition: Condition, states: readonly ConditionState[], now: Date): Condition {
  if (condition.type !== bindingConditions.available) return condition;
  const next = conditionOf(states, condition.type);
  const isNew = next !== undefined && (next.observedGeneration ?? 0) !== (condition.observedGeneration ?? 0);
  const isTimed = next?.reason === bindingReasons.notAllTrackable;
  return isNew && isTimed ? { ...condition, lastTransitionTime: formatTime(now) } : condition;
}
