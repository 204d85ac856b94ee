import { formatTime, jsonEquals, type JsonValue } from '@flotilla/kube';
import {
  acceptNames,
  approvalCondition,
  conditionOf,
  establishedCondition,
  isConditionTrue,
  nonStructuralCondition,
  withCondition,
  withoutCondition,
  type ConditionState,
  type CustomResourceDefinition,
  type DefinitionStatus,
} from '@flotilla/schema';

/**
 * The status of a definition, in the steps of kube-apiserver's controllers: accepted names, Established, then the other
 * conditions. kube-apiserver writes each step; definitions are large, so here one write does for all. Undefined if nothing is
 * left to write.
 */
export function nextStatus(
  definition: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
  now: Date,
): DefinitionStatus | undefined {
  const steps = [withNames, withEstablished, withApproval, withStructure];
  const next = steps.reduce((at, step) => {
    const status = step(at, others, formatTime(now));
    return status ? { ...at, status } : at;
  }, definition);
  return next.status && !isSame(next.status, definition.status) ? next.status : undefined;
}

type Step = (
  definition: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
  now: string,
) => DefinitionStatus | undefined;

const withNames: Step = (definition, others, now) => {
  const { acceptedNames, namesAccepted, established } = acceptNames(definition, others);
  const conditions = withCondition(definition.status?.conditions, namesAccepted, now);
  return {
    ...definition.status,
    acceptedNames,
    conditions: withCondition(conditions, established as ConditionState, now),
  };
};

const withEstablished: Step = (definition, _others, now) => {
  if (!isConditionTrue(definition, 'NamesAccepted') || isConditionTrue(definition, 'Established')) return undefined;
  return set(definition, establishedCondition(definition), now);
};

const withApproval: Step = (definition, _others, now) => {
  const approval = approvalCondition(definition);
  return approval && set(definition, approval, now);
};

const withStructure: Step = (definition, _others, now) => {
  const condition = nonStructuralCondition(definition);
  if (condition) return set(definition, condition, now);
  if (!conditionOf(definition, 'NonStructuralSchema')) return undefined;
  return { ...definition.status, conditions: withoutCondition(definition.status?.conditions, 'NonStructuralSchema') };
};

function set({ status }: CustomResourceDefinition, condition: ConditionState, now: string): DefinitionStatus {
  return { ...status, conditions: withCondition(status?.conditions, condition, now) };
}

function isSame(a: DefinitionStatus, b: DefinitionStatus | undefined): boolean {
  return jsonEquals(a as unknown as JsonValue, (b ?? {}) as unknown as JsonValue);
}
