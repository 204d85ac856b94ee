import {
  forbidden,
  invalid,
  labelValueProblems,
  qualifiedNameProblems,
  required,
  type FieldError,
} from '@flotilla/kube';
import { validateLabels } from '../../label-map.ts';
import type { LabelSelectorFields } from '../pod-fields.ts';
import { invalidForEach } from './checks.ts';

type Requirement = NonNullable<LabelSelectorFields['matchExpressions']>[number];

export function checkLabelSelector(
  errors: FieldError[],
  path: string,
  selector: LabelSelectorFields | null | undefined,
): void {
  if (!selector) return;
  const { matchLabels, matchExpressions } = selector;
  if (matchLabels !== undefined) errors.push(...validateLabels(`${path}.matchLabels`, matchLabels));
  matchExpressions?.forEach((requirement, i) => {
    checkRequirement(errors, `${path}.matchExpressions[${i}]`, requirement);
  });
}

function checkRequirement(errors: FieldError[], path: string, { key, operator, values = [] }: Requirement): void {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const sentence = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbidden(`${path}.values`, sentence));
    }
  } else errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  invalidForEach(errors, `${path}.key`, key, qualifiedNameProblems(key));
  values.forEach((value, i) => invalidForEach(errors, `${path}.values[${i}]`, value, labelValueProblems(value)));
}

export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelectorFields): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && !matchExpressions?.length;
}

/** Only for selectors without errors. */
export function matchesLabels(
  { matchLabels, matchExpressions }: LabelSelectorFields,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  for (const key in matchLabels) if (!Object.hasOwn(labels, key) || labels[key] !== matchLabels[key]) return false;
  return matchExpressions?.every((requirement) => meets(requirement, labels)) ?? true;
}

function meets({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && (values ?? []).includes(value);
    case 'NotIn':
      return value === undefined || !(values ?? []).includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}

export function isValidSelector(selector: LabelSelectorFields): boolean {
  const errors: FieldError[] = [];
  checkLabelSelector(errors, '', selector);
  return errors.length === 0;
}
