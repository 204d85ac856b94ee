import {
  duplicate,
  notSupported,
  pushAll,
  qualifiedNameProblems,
  required,
  tooMany,
  validateLabelSelector,
  type FieldError,
  type LabelSelectorObject,
} from '@flotilla/kube';
import type { ExpressionChecker } from '../../kind.ts';
import { invalids, repeatsIn } from '../field-checks.ts';
import { setRuleDefaults, validateNamedRule, type AdmissionRule } from './admission-rule.ts';
import { expressionErrors } from './expression-errors.ts';

export interface MatchResources {
  matchPolicy?: string;
  namespaceSelector?: LabelSelectorObject;
  objectSelector?: LabelSelectorObject;
  readonly resourceRules?: readonly AdmissionRule[];
  readonly excludeResourceRules?: readonly AdmissionRule[];
}

const matchPolicies = ['Equivalent', 'Exact'];
const mutableOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

export function setMatchDefaults(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  match.resourceRules?.forEach(setRuleDefaults);
  match.excludeResourceRules?.forEach(setRuleDefaults);
}

export function validateMatchResources(match: MatchResources | undefined, path: string): FieldError[] {
  if (match === undefined) return [];
  const { matchPolicy = '', resourceRules = [], excludeResourceRules = [] } = match;
  const rules = (list: readonly AdmissionRule[], field: string) =>
    list.flatMap((rule, index) => validateNamedRule(rule, `${path}.${field}[${index}]`));
  return [
    ...(matchPolicies.includes(matchPolicy) ? [] : [notSupported(`${path}.matchPolicy`, matchPolicy, matchPolicies)]),
    ...validateLabelSelector(match.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(match.objectSelector, `${path}.objectSelector`),
    ...rules(resourceRules, 'resourceRules'),
    ...rules(excludeResourceRules, 'excludeResourceRules'),
  ];
}

/** A mutating policy cannot change a deleted object. */
export function validateMutableOperations(match: MatchResources | undefined, path: string): FieldError[] {
  const operations = (match?.resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
  const refused = operations.filter((operation) => !mutableOperations.includes(operation));
  return refused.map((operation) => notSupported(`${path}.resourceRules.operations`, operation, mutableOperations));
}

/** A CEL expression that a request must satisfy before the webhook or policy applies. */
export interface MatchCondition {
  readonly name?: string;
  readonly expression?: string;
}

const maxConditions = 64;

export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  checker: ExpressionChecker,
  path: string,
): FieldError[] {
  const names = conditions.map(({ name = '' }) => name);
  const errors = conditions.length > maxConditions ? [tooMany(path, conditions.length, maxConditions)] : [];
  const repeats = repeatsIn(names);
  conditions.forEach((condition, index) => {
    const field = `${path}[${index}]`;
    pushAll(errors, validateMatchCondition(condition, checker, field));
    const name = names[index] ?? '';
    if (name !== '' && repeats.has(index)) errors.push(duplicate(`${field}.name`, name));
  });
  return errors;
}

function validateMatchCondition(
  { name = '', expression = '' }: MatchCondition,
  checker: ExpressionChecker,
  path: string,
): FieldError[] {
  const text = expression.trim();
  const field = `${path}.expression`;
  const errors = text === '' ? [required(field)] : expressionErrors(checker, 'matchCondition', field, text);
  if (name === '') return [...errors, required(`${path}.name`)];
  return [...errors, ...invalids(`${path}.name`, name, qualifiedNameProblems(name))];
}
