/** `metav1.LabelSelector`: a selector as objects contain it, `{matchLabels, matchExpressions}`. */
import { quote } from '../go/format.ts';
import { pushAll } from '../json/untrusted.ts';
import type { JsonObject } from '../json/value.ts';
import { labelValueProblems } from '../names/label.ts';
import { forbidden, invalid, required, type FieldError } from '../validation/field-error.ts';
import { validateLabelName, validateLabels } from '../validation/labels.ts';
import { LabelSelector } from './label-selector.ts';
import { newRequirement, SelectorError, type RequirementOperator } from './requirement.ts';

export interface LabelSelectorObject extends JsonObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorExpression[];
}

interface LabelSelectorExpression extends JsonObject {
  key: string;
  operator: string;
  values?: string[];
}

const operatorByName: ReadonlyMap<string, RequirementOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** An absent selector selects nothing, an empty one everything. Throws a SelectorError. */
export function labelSelectorFrom(selector: LabelSelectorObject | null | undefined): LabelSelector {
  if (selector === null || selector === undefined) return LabelSelector.nothing;
  const labels = Object.entries(selector.matchLabels ?? {});
  const expressions = selector.matchExpressions ?? [];
  if (labels.length + expressions.length === 0) return LabelSelector.everything;
  return new LabelSelector([
    ...labels.map(([key, value]) => newRequirement(key, '=', [value])),
    ...expressions.map(({ key, operator, values = [] }) => newRequirement(key, operatorFrom(operator), values)),
  ]);
}

/** The selector of a label map, as in Services and ReplicationControllers. */
export function labelSelectorFromLabels(labels: Readonly<Record<string, string>> | undefined): LabelSelector {
  const requirements = Object.entries(labels ?? {}).map(
    ([key, value]) => ({ key, operator: '=', values: [value] }) as const,
  );
  return new LabelSelector(requirements);
}

/** A selector as `kubectl get -o wide` and `describe` print it. */
export function printLabelSelector(selector: LabelSelectorObject | null | undefined): string {
  try {
    const printed = labelSelectorFrom(selector).toString();
    return printed === '' ? '<none>' : printed;
  } catch {
    return '<error>';
  }
}

interface LabelSelectorValidation {
  /** Stored objects may contain values that are invalid today. */
  readonly allowInvalidValues?: boolean;
  readonly allowUnknownOperators?: boolean;
}

export function validateLabelSelector(
  selector: LabelSelectorObject | null | undefined,
  field: string,
  options: LabelSelectorValidation = {},
): FieldError[] {
  if (selector === null || selector === undefined) return [];
  const errors = validateLabels(selector.matchLabels, `${field}.matchLabels`);
  for (const [i, expression] of (selector.matchExpressions ?? []).entries()) {
    pushAll(errors, validateExpression(expression, `${field}.matchExpressions[${i}]`, options));
  }
  return errors;
}

function validateExpression(
  { key, operator, values = [] }: LabelSelectorExpression,
  field: string,
  { allowInvalidValues = false, allowUnknownOperators = false }: LabelSelectorValidation,
): FieldError[] {
  const errors = operatorErrors(operator, values, field, allowUnknownOperators);
  pushAll(errors, validateLabelName(key, `${field}.key`));
  if (allowInvalidValues) return errors;
  for (const [i, value] of values.entries()) {
    for (const problem of labelValueProblems(value)) errors.push(invalid(`${field}.values[${i}]`, value, problem));
  }
  return errors;
}

function operatorErrors(
  operator: string,
  values: readonly string[],
  field: string,
  allowUnknown: boolean,
): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return allowUnknown ? [] : [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

function operatorFrom(operator: string): RequirementOperator {
  const known = operatorByName.get(operator);
  if (known === undefined) throw new SelectorError(`${quote(operator)} is not a valid label selector operator`);
  return known;
}
