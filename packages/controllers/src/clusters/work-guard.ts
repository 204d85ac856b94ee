/** What a member may change in its Works: one finalizer. The rest of a Work is what the hub wants of it. */
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

/** The RoleBinding that says whose namespace it is; undefined where it is no member's. */
export function bindingOfMemberIn(namespace: string): ObjectKey | undefined {
  if (!namespace.startsWith(prefix)) return undefined;
  return { namespace, name: memberRoleBinding(namespace.slice(prefix.length)) };
}

/** Whether somebody comes as the member that a namespace belongs to. */
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

/** Why a member may not make this of a Work, as a sentence; undefined where it may. */
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

/** What the server itself keeps track of. */
const serversOwn: ReadonlySet<string> = new Set(['resourceVersion', 'generation', 'managedFields']);

/** All that is not the member's, by name. Programs that know the types write empty values where there was nothing. */
function hubParts({ metadata, spec }: KubeObject): Map<string, JsonValue> {
  const parts = new Map<string, JsonValue>();
  for (const [name, value = null] of Object.entries(metadata)) {
    if (!serversOwn.has(name)) parts.set(`metadata.${name}`, orNothing(value));
  }
  const finalizers = metadata.finalizers?.filter((finalizer) => finalizer !== workFinalizer);
  parts.set('metadata.finalizers', orNothing(finalizers ?? null));
  parts.set('spec', orNothing(withoutEmptyWorkload(spec ?? null)));
  return parts;
}

function withoutEmptyWorkload(spec: JsonValue): JsonValue {
  if (!isJsonObject(spec)) return spec;
  const { workload = null, ...rest } = spec;
  return orNothing(workload) === null ? rest : spec;
}

function orNothing(value: JsonValue): JsonValue {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? null : value;
}
