/** How far a binding has come, read from its conditions. A condition of an earlier generation says nothing. */
import { bindingConditions, bindingReasons, conditionOf, type Binding, type Condition } from '@flotilla/api';

export type BindingConditionType = (typeof bindingConditions)[keyof typeof bindingConditions];

/** The condition, if it is about the current generation. */
export function currentCondition(
  { metadata, status }: Readonly<Binding>,
  type: BindingConditionType,
): Condition | undefined {
  const condition = conditionOf(status?.conditions, type);
  const isCurrent = condition !== undefined && (condition.observedGeneration ?? 0) === (metadata.generation ?? 0);
  return isCurrent ? condition : undefined;
}

export function statusNow(binding: Readonly<Binding>, type: BindingConditionType): Condition['status'] | undefined {
  return currentCondition(binding, type)?.status;
}

/** The works controller says so while a member has not answered. */
export const notYetAppliedSuffix = 'has not yet completed the apply op';

/** Whether a condition that is False will change by itself. KubeFleet counts these as failures. */
function isInProgress({ reason, message }: Condition): boolean {
  if (reason === bindingReasons.applyInProgress || reason === bindingReasons.diffReportInProgress) return true;
  return reason === bindingReasons.notAllApplied && message.endsWith(notYetAppliedSuffix);
}

const mayFail: readonly BindingConditionType[] = [
  bindingConditions.overridden,
  bindingConditions.workSynchronized,
  bindingConditions.applied,
  bindingConditions.available,
];

const none: readonly Condition[] = [];

/** Whether a step failed, so that the cluster does not get better by waiting. */
export function hasFailed(binding: Readonly<Binding>): boolean {
  return obstaclesOf(binding).some((condition) => !isInProgress(condition));
}

/** Whether the works controller has reported that the cluster does not have what it should have. Without a report this is unknown. */
export function isReportedUnready(binding: Readonly<Binding>): boolean {
  return obstaclesOf(binding).length > 0;
}

function obstaclesOf(binding: Readonly<Binding>): readonly Condition[] {
  if (binding.status?.conditions?.some(({ status }) => status === 'False') !== true) return none;
  return mayFail.flatMap((type) => {
    const condition = currentCondition(binding, type);
    return condition?.status === 'False' ? [condition] : [];
  });
}

/** Whether the differences were reported, or their report failed. */
export function hasDiffReport(binding: Readonly<Binding>): boolean {
  return currentCondition(binding, bindingConditions.diffReported) !== undefined;
}
