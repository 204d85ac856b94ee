import { notSupported, validateLabelSelector, type FieldError, type LabelSelectorObject } from '@flotilla/kube';
import { setRuleDefaults, validateNamedRule, type AdmissionRule } from './admission-rule.ts';

/** Which objects a policy or a binding is about. */
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

/** What is gone can no longer be changed. */
export function validateMutableOperations(match: MatchResources | undefined, path: string): FieldError[] {
  const operations = (match?.resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
  const refused = operations.filter((operation) => !mutableOperations.includes(operation));
  return refused.map((operation) => notSupported(`${path}.resourceRules.operations`, operation, mutableOperations));
}
