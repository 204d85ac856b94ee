import { invalid, notSupported, parseQuantity, pushAll, required, type FieldError } from '@flotilla/kube';
import type { AutoscalerSpec, ScalingPolicy, ScalingRules } from './autoscaler-fields.ts';
import { validateMetrics } from './metric-validation.ts';
import { validateReference, type ReferenceLeniency } from './target-reference.ts';

const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];
const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

export function validateAutoscaler(spec: AutoscalerSpec, old: AutoscalerSpec | undefined): FieldError[] {
  return [
    ...validateReplicas(spec, old),
    ...validateReference(spec.scaleTargetRef, 'spec.scaleTargetRef', targetLeniency(spec, old)),
    ...validateMetrics(spec, old),
    ...validateRules(spec.behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(spec.behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

/** A target that was stored stays valid; the only scalable kind of the core group is the ReplicationController. */
function targetLeniency({ scaleTargetRef: now }: AutoscalerSpec, old: AutoscalerSpec | undefined): ReferenceLeniency {
  const before = old?.scaleTargetRef;
  const isSame = before !== undefined && before.apiVersion === now.apiVersion && before.kind === now.kind;
  return { anyVersion: isSame, emptyGroup: now.kind === 'ReplicationController' };
}

function validateReplicas({ minReplicas, maxReplicas }: AutoscalerSpec, old: AutoscalerSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const least = old?.minReplicas === 0 ? 0 : 1;
  const max = 'spec.maxReplicas';
  if (minReplicas !== undefined && minReplicas < least) {
    errors.push(invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`));
  }
  if (maxReplicas === 0) errors.push(required(max, 'must be set and greater than 0'));
  else if (maxReplicas < 0) errors.push(invalid(max, maxReplicas, 'must be greater than or equal to 1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalid(max, maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  return errors;
}

function validateRules(rules: ScalingRules | undefined, field: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  const window = `${field}.stabilizationWindowSeconds`;
  if (seconds !== undefined && seconds < 0) {
    errors.push(invalid(window, seconds, 'must be greater than or equal to zero'));
  }
  if (seconds !== undefined && seconds > maxWindowSeconds) {
    errors.push(invalid(window, seconds, `must be less than or equal to ${maxWindowSeconds}`));
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupported(`${field}.selectPolicy`, selectPolicy, selectPolicies));
  }
  if (policies.length === 0) errors.push(required(`${field}.policies`, 'must specify at least one Policy'));
  for (const [index, policy] of policies.entries()) {
    pushAll(errors, validatePolicy(policy, `${field}.policies[${index}]`));
  }
  if (tolerance !== undefined && parseQuantity(tolerance).sign < 0) {
    errors.push(invalid(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0'));
  }
  return errors;
}

function validatePolicy({ type, value, periodSeconds }: ScalingPolicy, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!policyTypes.includes(type)) errors.push(notSupported(`${field}.type`, type, policyTypes));
  if (value <= 0) errors.push(invalid(`${field}.value`, value, 'must be greater than zero'));
  const period = `${field}.periodSeconds`;
  if (periodSeconds <= 0) errors.push(invalid(period, periodSeconds, 'must be greater than zero'));
  if (periodSeconds > maxPeriodSeconds) {
    errors.push(invalid(period, periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`));
  }
  return errors;
}
