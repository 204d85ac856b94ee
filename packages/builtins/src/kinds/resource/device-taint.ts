import {
  invalid,
  labelValueProblems,
  notSupported,
  qualifiedNameProblems,
  required,
  type FieldError,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';

export interface DeviceTaint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  timeAdded?: string;
}

export interface DeviceToleration {
  readonly key?: string;
  operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number | bigint;
}

const effects = ['NoExecute', 'NoSchedule', 'None'];
const operators = ['Equal', 'Exists'];

export function validateTaint({ key = '', value = '', effect = '' }: DeviceTaint, path: string): FieldError[] {
  return [
    ...invalids(`${path}.key`, key, qualifiedNameProblems(key)),
    ...invalids(`${path}.value`, value, labelValueProblems(value)),
    ...(effect === '' ? [required(`${path}.effect`)] : validateEffect(effect, `${path}.effect`)),
  ];
}

export function validateToleration(toleration: DeviceToleration, path: string): FieldError[] {
  const { key = '', effect = '' } = toleration;
  return [
    ...(key === '' ? [] : invalids(`${path}.key`, key, qualifiedNameProblems(key))),
    ...validateOperator(toleration, path),
    ...(effect === '' ? [] : validateEffect(effect, `${path}.effect`)),
  ];
}

function validateOperator({ operator = '', value = '' }: DeviceToleration, path: string): FieldError[] {
  switch (operator) {
    case 'Exists':
      return value === '' ? [] : [invalid(`${path}.value`, value, 'must be empty for operator `Exists`')];
    case 'Equal':
      return invalids(`${path}.value`, value, labelValueProblems(value));
    case '':
      return [required(`${path}.operator`)];
    default:
      return [notSupported(`${path}.operator`, operator, operators)];
  }
}

function validateEffect(effect: string, field: string): FieldError[] {
  return effects.includes(effect) ? [] : [notSupported(field, effect, effects)];
}
