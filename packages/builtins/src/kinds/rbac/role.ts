import { nameIsPathSegment, type KubeObject } from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { validateRules, type PolicyRule } from './policy-rule.ts';

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
