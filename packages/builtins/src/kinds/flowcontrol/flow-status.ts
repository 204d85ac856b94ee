/** FlowSchema and PriorityLevelConfiguration handle spec and status alike. */
import { duplicate, required, type FieldError, type KubeObject } from '@flotilla/kube';
import type { KindBehavior, SubresourceBehavior } from '../../kind.ts';
import { repeatsIn } from '../field-checks.ts';
import { bumpGenerationOnSpec, carryOver, keepMetadata, startGeneration } from '../prepare-update.ts';

export const flowPreparation: Pick<KindBehavior, 'prepareForCreate' | 'prepareForUpdate' | 'resetFields'> = {
  prepareForCreate(object) {
    object['status'] = {};
    startGeneration(object);
  },
  prepareForUpdate(object, old) {
    bumpGenerationOnSpec(object, old);
    carryOver('status', object, old);
  },
  resetFields: [['status']],
};

export const flowStatus: SubresourceBehavior = {
  prepareForUpdate(object, old) {
    keepMetadata(object, old);
    carryOver('spec', object, old);
  },
  validateUpdate: (object) => validateFlowConditions(conditionsOf(object)),
  resetFields: [['metadata'], ['spec']],
};

export function conditionsOf(object: KubeObject): readonly FlowCondition[] {
  const { status } = object as KubeObject & { readonly status?: { readonly conditions?: readonly FlowCondition[] } };
  return status?.conditions ?? [];
}

interface FlowCondition {
  readonly type?: string;
  readonly status?: string;
}

export function validateFlowConditions(conditions: readonly FlowCondition[] = []): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  const repeats = repeatsIn(types);
  return types.flatMap((type, index) => {
    const field = `status.conditions[${index}].type`;
    const errors = repeats.has(index) ? [duplicate(field, type)] : [];
    return type === '' ? [...errors, required(field)] : errors;
  });
}
