/** A member may change one finalizer of its Works. RBAC cannot express that. */
import { memberNamespace, memberRoleBinding, workFinalizer } from '@flotilla/api';
import {
  isJsonObject,
  jsonEquals,
  serviceAccountUserName,
  type JsonValue,
  type KubeObject,
  type ObjectKey,
  type RoleBinding,
  type Subject,
  type User,
} from '@flotilla/kube';

const prefix = memberNamespace('');

/** The RoleBinding of the member to which a namespace belongs; undefined for other namespaces. */
export function bindingOfMemberIn(namespace: string): ObjectKey | undefined {
  if (!namespace.startsWith(prefix)) return undefined;
  return { namespace, name: memberRoleBinding(namespace.slice(prefix.length)) };
}

/** Whether the caller is the member to which the namespace belongs. */
export function isMember({ subjects = [] }: RoleBinding, user: User): boolean {
  return subjects.some((subject) => isSubject(subject, user));
}

function isSubject({ kind, name, namespace = '' }: Subject, user: User): boolean {
  switch (kind) {
    case 'User':
      return user.name === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount':
      return user.name === serviceAccountUserName({ namespace, name });
    default:
      return false;
  }
}

/** Why a member's update of a Work is refused, as a sentence; undefined if it is accepted. */
export function refusedWorkChange(before: KubeObject, after: KubeObject): string | undefined {
  const [kept, asked] = [hubParts(before), hubParts(after)];
  const names = new Set([...kept.keys(), ...asked.keys()]);
  const changed = [...names].filter((name) => !jsonEquals(kept.get(name) ?? null, asked.get(name) ?? null)).sort();
  if (changed.length === 0) return undefined;
  return (
    `a member may add or remove the finalizer ${workFinalizer} of its Works and report their status, ` +
    `and nothing else; this would change ${changed.join(', ')}`
  );
}

/** Metadata that the server sets. */
const serversOwn: ReadonlySet<string> = new Set(['resourceVersion', 'generation', 'managedFields']);

/** The parts that a member may not change, by path. Typed clients write empty values for absent ones, so both count as null. */
function hubParts({ metadata, spec }: KubeObject): Map<string, JsonValue> {
  const parts = new Map<string, JsonValue>();
  for (const [name, value = null] of Object.entries(metadata)) {
    if (!serversOwn.has(name)) parts.set(`metadata.${name}`, nullIfEmpty(value));
  }
  const finalizers = metadata.finalizers?.filter((finalizer) => finalizer !== workFinalizer);
  parts.set('metadata.finalizers', nullIfEmpty(finalizers ?? null));
  parts.set('spec', nullIfEmpty(withoutEmptyWorkload(spec ?? null)));
  return parts;
}

function withoutEmptyWorkload(spec: JsonValue): JsonValue {
  if (!isJsonObject(spec)) return spec;
  const { workload = null, ...rest } = spec;
  return nullIfEmpty(workload) === null ? rest : spec;
}

function nullIfEmpty(value: JsonValue): JsonValue {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? null : value;
}
