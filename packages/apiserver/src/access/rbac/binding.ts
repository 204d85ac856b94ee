import type { PolicyRule, Subject } from '@flotilla/builtins';
import { quote, rbacGroup, serviceAccountUserName, type KubeObject } from '@flotilla/kube';

/** The fields of a RoleBinding or ClusterRoleBinding that decide. */
export interface Binding {
  readonly name: string;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly role: RoleRef;
  readonly subjects: readonly Subject[];
}

export interface RoleRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

export function rulesOf(role: KubeObject): readonly PolicyRule[] {
  return (role as KubeObject & { readonly rules?: readonly PolicyRule[] | null }).rules ?? [];
}

export function bindingOf(object: KubeObject): Binding {
  const { metadata, roleRef, subjects } = object as KubeObject & {
    readonly roleRef?: Partial<RoleRef>;
    readonly subjects?: readonly Subject[];
  };
  const { name = '', namespace = '' } = metadata;
  return { name, namespace, role: { kind: '', name: '', ...roleRef }, subjects: subjects ?? [] };
}

/** The key of the role in the store: `name`, or `namespace/name`. */
export function roleKey({ kind, name }: RoleRef, namespace: string): string {
  return kind === 'Role' ? `${namespace}/${name}` : name;
}

/** The user or group of a subject; undefined for a subject that matches no user. */
export function holderOf(
  { kind = '', name = '', namespace = '' }: Subject,
  bindingNamespace: string,
): { readonly kind: 'user' | 'group'; readonly name: string } | undefined {
  switch (kind) {
    case 'User':
      return { kind: 'user', name };
    case 'Group':
      return { kind: 'group', name };
    case 'ServiceAccount': {
      const accountNamespace = namespace || bindingNamespace;
      return accountNamespace === ''
        ? undefined
        : { kind: 'user', name: serviceAccountUserName({ namespace: accountNamespace, name }) };
    }
    default:
      return undefined;
  }
}

/** `ClusterRoleBinding "a" of ClusterRole "b" to User "c"`; names of namespaced objects end with `/namespace`. */
export function describeGrant({ name, namespace, role }: Binding, subject: Subject): string {
  const binding =
    namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  return `${binding} of ${role.kind} ${quote(role.name)} to ${describeSubject(subject, namespace)}`;
}

function describeSubject({ kind = '', name = '', namespace = '' }: Subject, bindingNamespace: string): string {
  const shown = kind === 'ServiceAccount' ? `${name}/${namespace || bindingNamespace}` : name;
  return `${kind} ${quote(shown)}`;
}

/** The message for a binding whose role does not exist. */
export function missingRole({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.${rbacGroup} ${quote(name)} not found`;
}
