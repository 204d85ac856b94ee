import {
  duplicate,
  invalid,
  notSupported,
  qualifiedNameProblems,
  regexMessage,
  required,
  tooLong,
  type FieldError,
} from '@flotilla/kube';
import { invalids, repeatsIn } from './field-checks.ts';

export interface ConditionFields {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason: string;
  readonly message: string;
}

const statuses = ['False', 'True', 'Unknown'];
const maxReasonBytes = 1024;
const maxMessageBytes = 32 * 1024;
const reasonForm = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const notAReason = regexMessage(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
);

/** Validates conditions of type metav1.Condition. Types must be unique. */
export function validateConditions(conditions: readonly ConditionFields[], field: string): FieldError[] {
  const repeats = repeatsIn(conditions.map(({ type }) => type));
  return conditions.flatMap((condition, index) => {
    const path = `${field}[${index}]`;
    return [
      ...(repeats.has(index) ? [duplicate(`${path}.type`, condition.type)] : []),
      ...validateCondition(condition, path),
    ];
  });
}

function validateCondition(condition: ConditionFields, field: string): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition;
  const errors = invalids(`${field}.type`, type, qualifiedNameProblems(type));
  if (!statuses.includes(status)) errors.push(notSupported(`${field}.status`, status, statuses));
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalid(`${field}.observedGeneration`, observedGeneration, detail));
  }
  if (!lastTransitionTime) errors.push(required(`${field}.lastTransitionTime`));
  if (reason === '') errors.push(required(`${field}.reason`));
  else if (!reasonForm.test(reason)) errors.push(invalid(`${field}.reason`, reason, notAReason));
  if (Buffer.byteLength(reason) > maxReasonBytes) errors.push(tooLong(`${field}.reason`, maxReasonBytes));
  if (Buffer.byteLength(message) > maxMessageBytes) errors.push(tooLong(`${field}.message`, maxMessageBytes));
  return errors;
}
