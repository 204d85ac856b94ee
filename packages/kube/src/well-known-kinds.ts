/** The kinds of Kubernetes that several packages name to a client, with the fields that they read. */
import type { JsonObject } from './json/value.ts';
import type { Kind, KubeObject } from './object.ts';
import type { LabelSelectorObject } from './selector/label-selector-object.ts';

const core = { group: '', version: 'v1' } as const;
const apps = { group: 'apps', version: 'v1' } as const;
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;

export const rbacGroup = rbac.group;

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: NamespaceCondition[] };
}

export interface NamespaceCondition extends JsonObject {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export const namespaces: Kind<Namespace> = { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false };

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export const configMaps: Kind<ConfigMap> = { ...core, kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

export interface Secret extends KubeObject {
  type?: string;
  /** In base64. */
  data?: Record<string, string>;
}

export const secrets: Kind<Secret> = { ...core, kind: 'Secret', plural: 'secrets', namespaced: true };

export interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[];
}

export const serviceAccounts: Kind<ServiceAccount> = {
  ...core,
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};

export const events: Kind = { ...core, kind: 'Event', plural: 'events', namespaced: true };
export const nodes: Kind = { ...core, kind: 'Node', plural: 'nodes', namespaced: false };
export const pods: Kind = { ...core, kind: 'Pod', plural: 'pods', namespaced: true };
export const deployments: Kind = { ...apps, kind: 'Deployment', plural: 'deployments', namespaced: true };

export const customResourceDefinitions: Kind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** The versions of groups, also those of aggregated API servers. Their names end with the group, like those of definitions. */
export const apiServices: Kind = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
};

export interface Lease extends KubeObject {
  spec?: LeaseSpec;
}

export interface LeaseSpec extends JsonObject {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

export const leases: Kind<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export interface PolicyRule extends JsonObject {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
}

export interface Role extends KubeObject {
  rules?: PolicyRule[] | null;
}

export interface ClusterRole extends KubeObject {
  rules?: JsonObject[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorObject[] };
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

export interface RoleBinding extends KubeObject {
  subjects?: Subject[];
  roleRef: RoleRef;
}

export const roles: Kind<Role> = { ...rbac, kind: 'Role', plural: 'roles', namespaced: true };

export const roleBindings: Kind<RoleBinding> = {
  ...rbac,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
};

export const clusterRoles: Kind<ClusterRole> = {
  ...rbac,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

export const clusterRoleBindings: Kind<RoleBinding> = {
  ...rbac,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
