import { duplicate, pushAll, qualifiedNameProblems, required, tooMany, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';
import { repeatsIn } from '../repeats.ts';

/** A CEL expression that a request must satisfy before anybody is asked. */
export interface MatchCondition {
  readonly name?: string;
  readonly expression?: string;
}

const maxConditions = 64;

export function validateMatchConditions(conditions: readonly MatchCondition[], path: string): FieldError[] {
  const names = conditions.map(({ name = '' }) => name);
  const errors = conditions.length > maxConditions ? [tooMany(path, conditions.length, maxConditions)] : [];
  const repeats = repeatsIn(names);
  conditions.forEach((condition, index) => {
    const field = `${path}[${index}]`;
    pushAll(errors, validateMatchCondition(condition, field));
    const name = names[index] ?? '';
    if (name !== '' && repeats.has(index)) errors.push(duplicate(`${field}.name`, name));
  });
  return errors;
}

function validateMatchCondition({ name = '', expression = '' }: MatchCondition, path: string): FieldError[] {
  const errors = expression.trim() === '' ? [required(`${path}.expression`)] : [];
  if (name === '') return [...errors, required(`${path}.name`)];
  return [...errors, ...invalids(`${path}.name`, name, qualifiedNameProblems(name))];
}
