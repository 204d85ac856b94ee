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
import { validateRules, type PolicyRule } from './policy-rule.ts';

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
