import { withDatedCondition, type Condition, type ConditionState } from '@flotilla/api';

/** API servers refuse messages above 32,768 characters. Errors of member clusters may be longer. */
const maxMessage = 4096;

/** Replaces or appends the condition. The transition time changes only if the status does. */
export function withBoundedCondition(
  conditions: readonly Condition[],
  state: ConditionState,
  lastTransitionTime: string,
): Condition[] {
  return withDatedCondition(conditions, boundedCondition(state, lastTransitionTime));
}

/** A condition in the field order of the wire. Like Go, omits an observedGeneration of 0. */
export function boundedCondition(state: ConditionState, lastTransitionTime: string): Condition {
  const { type, status, observedGeneration = 0, reason, message } = state;
  return {
    type,
    status,
    ...(observedGeneration !== 0 && { observedGeneration }),
    lastTransitionTime,
    reason,
    message: message.length <= maxMessage ? message : `${message.slice(0, maxMessage)}…`,
  };
}
