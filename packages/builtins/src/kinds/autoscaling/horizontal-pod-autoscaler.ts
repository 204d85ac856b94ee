import {
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  parseQuantity,
  pushAll,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { carryOver } from '../prepare-update.ts';
import { autoscalerColumns } from './autoscaler-columns.ts';
import { autoscalerToV1, autoscalerToV2, dropRoundTripAnnotations } from './autoscaler-conversion.ts';
import {
  cpuMetric,
  defaultCpuUtilization,
  type AutoscalerFields,
  type AutoscalerSpec,
  type ScalingPolicy,
  type ScalingRules,
} from './autoscaler-fields.ts';
import { validateMetrics, validateReference, type ReferenceLeniency } from './metric-validation.ts';

/** The storage version: v1 objects are converted to this one first (autoscaler-conversion.ts). */
export const horizontalPodAutoscalerKind: KindBehavior = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  nameRule: nameIsDnsSubdomain,
  setDefaults(object) {
    dropRoundTripAnnotations(object.metadata);
    setAutoscalerDefaults(autoscalerOf(object).spec);
  },
  prepareForCreate(object) {
    object['status'] = { desiredReplicas: 0, currentMetrics: null };
  },
  prepareForUpdate: (object, old) => carryOver('status', object, old),
  validate: (object) => validateAutoscaler(autoscalerOf(object).spec, undefined),
  validateUpdate: (object, old) => validateAutoscaler(autoscalerOf(object).spec, autoscalerOf(old).spec),
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: validateStatus,
      resetFields: [['spec']],
    },
  },
  columns: autoscalerColumns,
  resetFields: [['status']],
};

/** An autoscaler without a spec gets Go's zero value. */
function autoscalerOf(object: KubeObject): AutoscalerFields {
  const autoscaler = object as KubeObject & Partial<AutoscalerFields>;
  autoscaler.spec ??= { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 0 };
  return autoscaler as KubeObject & AutoscalerFields;
}

function validateStatus(object: KubeObject): FieldError[] {
  const { currentReplicas, desiredReplicas } = autoscalerOf(object).status;
  const errors: FieldError[] = [];
  checkNotNegative(errors, 'status.currentReplicas', currentReplicas);
  checkNotNegative(errors, 'status.desiredReplicas', desiredReplicas);
  return errors;
}

function setAutoscalerDefaults(spec: AutoscalerSpec): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) spec.metrics = [cpuMetric(defaultCpuUtilization)];
  const { behavior } = spec;
  if (behavior === undefined) return;
  behavior.scaleUp = withDefaults(behavior.scaleUp, scaleUpRules);
  behavior.scaleDown = withDefaults(behavior.scaleDown, scaleDownRules);
}

/** Four pods or a doubling, whichever is more, every 15 seconds. */
const scaleUpRules: ScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

/** The controller's configuration has the stabilization window for scaling down. */
const scaleDownRules: ScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

function withDefaults(rules: ScalingRules = {}, defaults: ScalingRules): ScalingRules {
  return { ...structuredClone(defaults), ...rules };
}

/** All rules of v1 are those of v2, applied to the converted object. */
export const horizontalPodAutoscalerV1Kind: KindBehavior = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  nameRule: nameIsDnsSubdomain,
  setDefaults: (object) => throughV2(object, (converted) => horizontalPodAutoscalerKind.setDefaults?.(converted)),
  prepareForCreate(object, context) {
    throughV2(object, (converted) => horizontalPodAutoscalerKind.prepareForCreate?.(converted, context));
  },
  prepareForUpdate(object, old, context) {
    throughV2(object, (converted) =>
      horizontalPodAutoscalerKind.prepareForUpdate?.(converted, autoscalerToV2(old), context),
    );
  },
  validate: (object, context) => horizontalPodAutoscalerKind.validate?.(autoscalerToV2(object), context) ?? [],
  validateUpdate: (object, old, context) =>
    horizontalPodAutoscalerKind.validateUpdate?.(autoscalerToV2(object), autoscalerToV2(old), context) ?? [],
  subresources: {
    status: {
      prepareForUpdate(object, old, context) {
        const prepare = horizontalPodAutoscalerKind.subresources?.['status']?.prepareForUpdate;
        throughV2(object, (converted) => prepare?.(converted, autoscalerToV2(old), context));
      },
      validateUpdate: (object, old, context) =>
        horizontalPodAutoscalerKind.subresources?.['status']?.validateUpdate?.(
          autoscalerToV2(object),
          autoscalerToV2(old),
          context,
        ) ?? [],
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: autoscalerColumns.definitions,
    cells: (object, now) => autoscalerColumns.cells(autoscalerToV2(object), now),
  },
  resetFields: [['status']],
};

/** Lets v2 edit the converted object, and writes the result back. The metadata object stays the same. */
function throughV2(object: KubeObject, edit: (converted: KubeObject) => void): void {
  const converted = autoscalerToV2(object);
  edit(converted);
  const { metadata, spec, status } = autoscalerToV1(converted);
  Object.assign(object, { spec, status });
  if (metadata.annotations === undefined) delete object.metadata.annotations;
  else object.metadata.annotations = metadata.annotations;
}

const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];
const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

function validateAutoscaler(spec: AutoscalerSpec, old: AutoscalerSpec | undefined): FieldError[] {
  return [
    ...validateReplicas(spec, old),
    ...validateReference(spec.scaleTargetRef, 'spec.scaleTargetRef', targetLeniency(spec, old)),
    ...validateMetrics(spec, old),
    ...validateRules(spec.behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(spec.behavior?.scaleDown, 'spec.behavior.scaleDown'),
  ];
}

/** A stored target stays valid. In the core group only ReplicationController is scalable. */
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
