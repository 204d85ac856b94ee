import type { Subject } from '@flotilla/builtins';
import { rbacGroup, type JsonObject, type KubeObject } from '@flotilla/kube';
import { subjectFrom, type BindingRow } from './binding-row.ts';
import { clusterRoleBindings, roleBindings } from './bindings.ts';
import { clusterRoles } from './cluster-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { namespaceRoles } from './namespace-roles.ts';
import { ruleFrom, type RoleRow } from './role-row.ts';

export function bootstrapRoles(): KubeObject[] {
  return [
    ...Object.entries(clusterRoles).map(([name, row]) => roleFrom('', name, row)),
    ...Object.entries(controllerRoles).map(([name, row]) => roleFrom('', controllerName(name), row)),
    ...inNamespaces(namespaceRoles, roleFrom),
  ];
}

export function bootstrapBindings(): KubeObject[] {
  return [
    ...Object.entries(clusterRoleBindings).map(([name, row]) => bindingFrom('', name, row)),
    ...Object.keys(controllerRoles).map((name) =>
      bindingFrom('', controllerName(name), { subjects: [`ServiceAccount kube-system/${name}`] }),
    ),
    ...inNamespaces(roleBindings, bindingFrom),
  ];
}

function inNamespaces<Row>(
  rows: Readonly<Record<string, Readonly<Record<string, Row>>>>,
  objectFrom: (namespace: string, name: string, row: Row) => KubeObject,
): KubeObject[] {
  return Object.entries(rows).flatMap(([namespace, named]) =>
    Object.entries(named).map(([name, row]) => objectFrom(namespace, name, row)),
  );
}

function controllerName(name: string): string {
  return `system:controller:${name}`;
}

const apiVersion = `${rbacGroup}/v1`;

/** Aggregates a role into the role that the label names. */
function aggregationLabel(role: string): Record<string, string> {
  return { [`${rbacGroup}/aggregate-to-${role}`]: 'true' };
}

function roleFrom(namespace: string, name: string, { rules, isAggregated, aggregateTo }: RoleRow): KubeObject {
  return {
    kind: namespace === '' ? 'ClusterRole' : 'Role',
    apiVersion,
    metadata: metadataOf(namespace, name, aggregateTo === undefined ? {} : aggregationLabel(aggregateTo)),
    rules: (rules?.map(ruleFrom) ?? null) as KubeObject['rules'],
    ...(isAggregated && { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabel(name) }] } }),
  };
}

function bindingFrom(namespace: string, name: string, { role = name, subjects }: BindingRow): KubeObject {
  const scope = namespace === '' ? 'Cluster' : '';
  return {
    kind: `${scope}RoleBinding`,
    apiVersion,
    metadata: metadataOf(namespace, name),
    ...(subjects.length > 0 && { subjects: subjects.map(subjectFrom) as (Subject & JsonObject)[] }),
    roleRef: { apiGroup: rbacGroup, kind: `${scope}Role`, name: role },
  };
}

function metadataOf(namespace: string, name: string, labels: Record<string, string> = {}): KubeObject['metadata'] {
  return {
    name,
    ...(namespace !== '' && { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}
