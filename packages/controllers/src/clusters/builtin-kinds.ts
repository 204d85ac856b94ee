/** The built-in kinds that a member's place on the hub is made of, with the fields that are read here. */
import type { JsonObject, Kind, KubeObject } from '@flotilla/kube';

export interface Role extends KubeObject {
  rules?: PolicyRule[] | null;
}

export interface PolicyRule extends JsonObject {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
}

export interface RoleBinding extends KubeObject {
  subjects?: Subject[];
  roleRef: RoleRef;
}

export interface Subject extends JsonObject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}

export interface RoleRef extends JsonObject {
  apiGroup: string;
  kind: string;
  name: string;
}

export const rbacGroup = 'rbac.authorization.k8s.io';

export const namespaces: Kind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export const roles: Kind<Role> = { group: rbacGroup, version: 'v1', kind: 'Role', plural: 'roles', namespaced: true };

export const roleBindings: Kind<RoleBinding> = {
  group: rbacGroup,
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};
