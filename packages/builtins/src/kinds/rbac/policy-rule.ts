import { invalid, required, type FieldError } from '@flotilla/kube';

export interface PolicyRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export function validateRules(rules: readonly PolicyRule[] | null | undefined, scope: RuleScope): FieldError[] {
  return (rules ?? []).flatMap((rule, index) => validateRule(rule, scope, `rules[${index}]`));
}

export type RuleScope = 'Namespaced' | 'Cluster';

function validateRule(rule: PolicyRule, scope: RuleScope, path: string): FieldError[] {
  const { verbs, apiGroups = [], resources = [], nonResourceURLs = [] } = rule;
  const errors: FieldError[] = [];
  if (!verbs?.length) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  if (nonResourceURLs.length > 0) return [...errors, ...validateNonResourceRule(rule, scope, path)];
  if (apiGroups.length === 0) {
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (resources.length === 0) {
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function validateNonResourceRule(rule: PolicyRule, scope: RuleScope, path: string): FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const field = `${path}.nonResourceURLs`;
  const refused = (detail: string) => invalid(field, [...nonResourceURLs], detail);
  const errors: FieldError[] = [];
  if (scope === 'Namespaced') errors.push(refused('namespaced rules cannot apply to non-resource URLs'));
  if (apiGroups.length + resources.length + resourceNames.length > 0) {
    errors.push(refused('rules cannot apply to both regular resources and non-resource URLs'));
  }
  return errors;
}
