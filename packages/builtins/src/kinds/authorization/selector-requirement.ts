import {
  forbidden,
  invalid,
  labelValueProblems,
  qualifiedNameProblems,
  required,
  type FieldError,
} from '@flotilla/kube';

export interface SelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** Operators that nobody knows here are newer clients' business. */
export function validateFieldRequirement(requirement: SelectorRequirement, path: string): FieldError[] {
  const errors = requirement.key ? [] : [required(`${path}.key`, 'must be specified')];
  return [...errors, ...valueCountErrors(requirement, path)];
}

export function validateLabelRequirement(requirement: SelectorRequirement, path: string): FieldError[] {
  const { key = '', values = [] } = requirement;
  return [
    ...valueCountErrors(requirement, path),
    ...qualifiedNameProblems(key).map((problem) => invalid(`${path}.key`, key, problem)),
    ...values.flatMap((value, index) =>
      labelValueProblems(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
    ),
  ];
}

function valueCountErrors({ operator, values = [] }: SelectorRequirement, path: string): FieldError[] {
  const field = `${path}.values`;
  const isAboutValues = operator === 'In' || operator === 'NotIn';
  const isAboutPresence = operator === 'Exists' || operator === 'DoesNotExist';
  if (isAboutValues && values.length === 0) {
    return [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (isAboutPresence && values.length > 0) {
    return [forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return [];
}
