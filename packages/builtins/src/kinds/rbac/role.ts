import {
  invalid,
  nameIsPathSegment,
  required,
  validateLabelSelector,
  type FieldError,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';

interface Role {
  readonly rules?: readonly PolicyRule[] | null;
}

export const roleKind: KindBehavior = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  nameRule: nameIsPathSegment,
  createOnUpdate: true,
  validate: validateRole,
  validateUpdate: validateRole,
};

function validateRole(object: KubeObject) {
  const { rules } = object as KubeObject & Role;
  return validateRules(rules, 'Namespaced');
}

interface ClusterRole {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelectorObject[] };
}

export const clusterRoleKind: KindBehavior = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  nameRule: nameIsPathSegment,
  createOnUpdate: true,
  validate: validateClusterRole,
  validateUpdate: validateClusterRole,
};

function validateClusterRole(object: KubeObject): FieldError[] {
  const { rules, aggregationRule } = object as KubeObject & ClusterRole;
  const errors = validateRules(rules, 'Cluster');
  if (aggregationRule === undefined) return errors;
  return [...errors, ...validateSelectors(aggregationRule.clusterRoleSelectors ?? [])];
}

function validateSelectors(selectors: readonly LabelSelectorObject[]): FieldError[] {
  const path = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0) {
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, index) => {
    const field = `${path}[${index}]`;
    const errors = validateLabelSelector(selector, field);
    return errors.length === 0 ? [] : [...errors, invalid(field, null, 'invalid label selector.')];
  });
}

export interface PolicyRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

function validateRules(rules: readonly PolicyRule[] | null | undefined, scope: RuleScope): FieldError[] {
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
