import { nameIsDnsSubdomain, type FieldError, type KubeObject } from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { carryOver } from '../carried-over.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { autoscalerColumns } from './autoscaler-columns.ts';
import { dropRoundTripAnnotations } from './autoscaler-conversion.ts';
import { setAutoscalerDefaults } from './autoscaler-defaults.ts';
import type { AutoscalerFields } from './autoscaler-fields.ts';
import { validateAutoscaler } from './autoscaler-validation.ts';

/** The storage version: v1 objects become this one before anything looks at them (autoscaler-conversion.ts). */
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

/** An autoscaler without a spec gets the empty one that Go gives it. */
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
