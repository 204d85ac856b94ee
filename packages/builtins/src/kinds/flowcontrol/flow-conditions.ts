import { duplicate, required, type FieldError } from '@flotilla/kube';
import { repeatsIn } from '../repeats.ts';

export interface FlowCondition {
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
