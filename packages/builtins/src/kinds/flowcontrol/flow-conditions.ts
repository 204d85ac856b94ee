import { duplicate, required, type FieldError } from '@flotilla/kube';

export interface FlowCondition {
  readonly type?: string;
  readonly status?: string;
}

export function validateFlowConditions(conditions: readonly FlowCondition[] = []): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  return types.flatMap((type, index) => {
    const field = `status.conditions[${index}].type`;
    const errors = types.indexOf(type) < index ? [duplicate(field, type)] : [];
    return type === '' ? [...errors, required(field)] : errors;
  });
}
