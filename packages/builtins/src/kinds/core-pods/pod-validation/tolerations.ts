import { invalid, qualifiedNameProblems, labelValueProblems, notSupported, type FieldError } from '@flotilla/kube';
import type { TolerationFields } from '../pod-fields.ts';
import { checkSupported, invalidForEach } from './checks.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function checkTolerations(errors: FieldError[], path: string, tolerations: readonly TolerationFields[]): void {
  tolerations.forEach((toleration, i) => {
    const { key, operator, effect, tolerationSeconds } = toleration;
    const at = `${path}[${i}]`;
    if (key) invalidForEach(errors, `${at}.key`, key, qualifiedNameProblems(key));
    else if (operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(`${at}.operator`, operator ?? '', detail));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(`${at}.effect`, effect ?? '', detail));
    }
    checkOperator(errors, `${at}.operator`, toleration);
    if (effect) checkSupported(errors, `${at}.effect`, effect, effects);
  });
}

function checkOperator(errors: FieldError[], path: string, { operator, value = '' }: TolerationFields): void {
  switch (operator) {
    case undefined:
    case '':
    case 'Equal': {
      const problems = labelValueProblems(value);
      if (problems.length > 0) errors.push(invalid(path, value, problems.join(';')));
      return;
    }
    case 'Exists':
      if (value) errors.push(invalid(path, value, "value must be empty when `operator` is 'Exists'"));
      return;
    // The feature gate of these operators is off, but the message names them anyway.
    case 'Lt':
    case 'Gt':
      return void errors.push(notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt']));
    default:
      errors.push(notSupported(path, operator, ['Equal', 'Exists']));
  }
}
