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

/** Conditions that are False for these reasons will change by themselves. KubeFleet counts them as failures. */
const inProgress: ReadonlySet<string> = new Set([bindingReasons.applyInProgress, bindingReasons.diffReportInProgress]);

const mayFail: readonly BindingConditionType[] = [
  bindingConditions.overridden,
  bindingConditions.workSynchronized,
  bindingConditions.applied,
  bindingConditions.available,
];

/** Whether a step failed, so that the cluster does not get better by waiting. */
export function hasFailed(binding: Readonly<Binding>): boolean {
  return mayFail.some((type) => {
    const condition = currentCondition(binding, type);
    return condition?.status === 'False' && !inProgress.has(condition.reason);
  });
}

/** Whether the differences were reported, or their report failed. */
export function hasDiffReport(binding: Readonly<Binding>): boolean {
  return currentCondition(binding, bindingConditions.diffReported) !== undefined;
}
