/** FlowSchema and PriorityLevelConfiguration treat spec and status alike. */
import type { KubeObject } from '@flotilla/kube';
import type { KindBehavior, SubresourceBehavior } from '../../kind.ts';
import { carryOver } from '../carried-over.ts';
import { bumpGenerationOnSpec, startGeneration } from '../generation.ts';
import { keepMetadata } from '../status-metadata.ts';
import { validateFlowConditions, type FlowCondition } from './flow-conditions.ts';

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
