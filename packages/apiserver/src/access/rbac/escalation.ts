/** Privilege escalation: a user may grant only rights that the user holds, except with the verbs `escalate` and `bind`. */
import type { PolicyRule } from '@flotilla/builtins';
import {
  aggregate,
  apiErrors,
  isMaster,
  jsonEquals,
  quote,
  quoteAll,
  rbacGroup,
  type ApiError,
  type KubeObject,
} from '@flotilla/kube';
import { userOf } from '../../request/caller.ts';
import type { Resource } from '../../resources/resource.ts';
import type { AuthorizedCall, ResourceAccess } from '../authorizer.ts';
import { bindingOf, rulesOf, type RoleRef } from './binding.ts';
import type { Rbac } from './rbac.ts';
import { ruleLines } from './rule-text.ts';

interface Call extends AuthorizedCall {
  readonly resource: Pick<Resource, 'group' | 'plural'>;
  readonly server: { readonly access: Pick<Rbac, 'authorize' | 'missingRoles' | 'notHeld' | 'rulesOfRole'> };
}

/** Throws if a role or binding grants rights that the caller does not hold. `old` is the object before an update. */
export function checkEscalation(call: Call, object: KubeObject, old: KubeObject | undefined): void {
  if (call.resource.group !== rbacGroup || isMaster(userOf(call))) return;
  switch (call.resource.plural) {
    case 'roles':
    case 'clusterroles':
      return checkRole(call, object, old);
    case 'rolebindings':
    case 'clusterrolebindings':
      return checkBinding(call, object, old);
  }
}

function checkRole(call: Call, object: KubeObject, old: KubeObject | undefined): void {
  if (mayEscalate(call) || isOwnershipChange(object, old)) return;
  checkHeld(call, object, rulesOf(object));
  if (!hasAggregationRule(object) && !(old && hasAggregationRule(old))) return;
  // An aggregated role can collect any rule, and the controller restores rules that others remove.
  if (refusalOf(call, allRights) === undefined) return;
  throw forbidden(call, object, 'must have cluster-admin privileges to use the aggregationRule');
}

const allRights: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function hasAggregationRule(role: KubeObject): boolean {
  const { aggregationRule } = role as KubeObject & {
    readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] };
  };
  return (aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

const roleResources: ReadonlyMap<string, string> = new Map([
  ['Role', 'roles'],
  ['ClusterRole', 'clusterroles'],
]);

function checkBinding(call: Call, object: KubeObject, old: KubeObject | undefined): void {
  if (isOwnershipChange(object, old)) return;
  const { role } = bindingOf(object);
  const resource = roleResources.get(role.kind);
  if (resource === undefined) throw apiErrors.unknown(`unsupported role reference kind: ${quote(role.kind)}`);
  if (mayBind(call, role, resource)) return;
  const rules = call.server.access.rulesOfRole(role, call.info.namespace);
  if (!rules) throw notFound(call, role);
  checkHeld(call, object, rules);
}

/** The verb `escalate` on the role. A create has no name in the request. */
function mayEscalate(call: Call): boolean {
  const { group, resource, namespace, name } = call.info;
  return isAllowed(call, 'escalate', { group, resource, namespace, name });
}

/** The verb `bind` on the role, in the namespace of the binding. */
function mayBind(call: Call, { apiGroup: group = '', name }: RoleRef, resource: string): boolean {
  return isAllowed(call, 'bind', { group, resource, namespace: call.info.namespace, name });
}

type RoleAccess = Pick<ResourceAccess, 'group' | 'resource' | 'namespace' | 'name'>;

function isAllowed(call: Call, verb: string, role: RoleAccess): boolean {
  const user = userOf(call);
  return call.server.access.authorize({ isResource: true, user, verb, version: '*', subresource: '', ...role })
    .isAllowed;
}

/** Changes of owners and finalizers grant nothing; the garbage collector must be able to make them. */
function isOwnershipChange(object: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && jsonEquals(withoutOwnership(object), withoutOwnership(old));
}

function withoutOwnership(object: KubeObject): KubeObject {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function checkHeld(call: Call, object: KubeObject, rules: readonly PolicyRule[]): void {
  const refusal = refusalOf(call, rules);
  if (refusal !== undefined) throw forbidden(call, object, refusal);
}

function refusalOf(call: Call, rules: readonly PolicyRule[]): string | undefined {
  const { access } = call.server;
  const { namespace } = call.info;
  const user = userOf(call);
  const notHeld = access.notHeld(user, namespace, rules);
  if (notHeld.length === 0) return undefined;
  const who = `user ${quote(user.name)} (groups=${quoteAll(user.groups)})`;
  const what = `${who} is attempting to grant RBAC permissions not currently held:\n${ruleLines(notHeld).join('\n')}`;
  const missing = access.missingRoles(user, namespace);
  if (missing.length === 0) return what;
  const unresolved = aggregate(missing.map((role) => notFound(call, role).message));
  return `${what}; resolution errors: [${unresolved}]`;
}

/** Kubernetes names the resource of the request, not that of the role. */
function notFound({ resource }: Call, { name }: RoleRef): ApiError {
  return apiErrors.notFound({ resource: resource.plural, group: resource.group }, name);
}

function forbidden({ resource }: Call, { metadata }: KubeObject, why: string): ApiError {
  return apiErrors.forbidden({ resource: resource.plural, group: resource.group }, metadata.name ?? '', why);
}
