/**
 * RoleBinding and ClusterRoleBinding differ in the roles that they may reference, and in the namespaces of their
 * subjects.
 */
import {
  invalid,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  notSupported,
  pushAll,
  rbacGroup,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn, wideColumn } from '../../columns.ts';
import type { Columns, KindBehavior } from '../../kind.ts';
import { invalids } from '../field-checks.ts';
import type { RuleScope } from './role.ts';

interface Binding {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}

interface RoleRef {
  apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

const bindingColumns: Columns = {
  definitions: [
    nameColumn,
    column('Role', 'string', 'Kind and name of the role.'),
    ageColumn,
    wideColumn('Users', 'string', 'Users among the subjects.'),
    wideColumn('Groups', 'string', 'Groups among the subjects.'),
    wideColumn('ServiceAccounts', 'string', 'Service accounts among the subjects, with their namespaces.'),
  ],
  cells(object, now) {
    const { roleRef, subjects } = bindingOf(object);
    const { users, groups, serviceAccounts } = subjectNames(subjects);
    const role = `${roleRef.kind ?? ''}/${roleRef.name ?? ''}`;
    return [object.metadata.name ?? '', role, age(object, now), users, groups, serviceAccounts];
  },
};

export const roleBindingKind = bindingKind('RoleBinding', 'Namespaced', ['Role', 'ClusterRole']);
export const clusterRoleBindingKind = bindingKind('ClusterRoleBinding', 'Cluster', ['ClusterRole']);

function bindingKind(kind: string, scope: RuleScope, roleKinds: readonly string[]): KindBehavior {
  const validate = (object: KubeObject) => validateBinding(bindingOf(object), scope, roleKinds);
  return {
    group: rbacGroup,
    version: 'v1',
    kind,
    nameRule: nameIsPathSegment,
    createOnUpdate: true,
    setDefaults(object) {
      const { roleRef, subjects = [] } = bindingOf(object);
      roleRef.apiGroup ||= rbacGroup;
      subjects.forEach(setSubjectDefaults);
    },
    validate,
    validateUpdate: (object, old) => [...validate(object), ...validateSameRole(object, old)],
    columns: bindingColumns,
  };
}

/** Decoding has set the reference, if only to Go's zero value. */
function bindingOf(object: KubeObject): Binding {
  const binding = object as KubeObject & Partial<{ -readonly [Key in keyof Binding]: Binding[Key] }>;
  binding.roleRef ??= {};
  return binding as Binding;
}

function validateBinding(binding: Binding, scope: RuleScope, roleKinds: readonly string[]): FieldError[] {
  const subjects = (binding.subjects ?? []).flatMap((subject, index) =>
    validateSubject(subject, scope, `subjects[${index}]`),
  );
  return [...validateRoleRef(binding.roleRef, roleKinds), ...subjects];
}

function validateRoleRef({ apiGroup = '', kind = '', name = '' }: RoleRef, kinds: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (apiGroup !== rbacGroup) errors.push(notSupported('roleRef.apiGroup', apiGroup, [rbacGroup]));
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  if (name === '') errors.push(required('roleRef.name'));
  else pushAll(errors, invalids('roleRef.name', name, nameIsPathSegment(name, false)));
  return errors;
}

/** The role of a binding is immutable. The error shows the names of Go's fields. */
function validateSameRole(object: KubeObject, old: KubeObject): FieldError[] {
  const { apiGroup = '', kind = '', name = '' } = bindingOf(object).roleRef;
  const before = bindingOf(old).roleRef;
  const isSame = apiGroup === (before.apiGroup ?? '') && kind === (before.kind ?? '') && name === (before.name ?? '');
  return isSame ? [] : [invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')];
}

export interface Subject {
  readonly kind?: string;
  apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Users and groups belong to the RBAC API group, service accounts to the core group. */
function setSubjectDefaults(subject: Subject): void {
  if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= rbacGroup;
}

function validateSubject(subject: Subject, scope: RuleScope, path: string): FieldError[] {
  const errors = subject.name ? [] : [required(`${path}.name`)];
  switch (subject.kind ?? '') {
    case 'ServiceAccount':
      return [...errors, ...validateServiceAccount(subject, scope, path)];
    case 'User':
    case 'Group':
      return [...errors, ...validateGroup(subject, rbacGroup, path)];
    default:
      return [...errors, notSupported(`${path}.kind`, subject.kind ?? '', ['ServiceAccount', 'User', 'Group'])];
  }
}

function validateServiceAccount(subject: Subject, scope: RuleScope, path: string): FieldError[] {
  const { name = '', namespace = '' } = subject;
  const errors = name === '' ? [] : invalids(`${path}.name`, name, nameIsDnsSubdomain(name, false));
  pushAll(errors, validateGroup(subject, '', path));
  if (scope === 'Cluster' && namespace === '') errors.push(required(`${path}.namespace`));
  return errors;
}

function validateGroup({ apiGroup = '' }: Subject, expected: string, path: string): FieldError[] {
  return apiGroup === expected ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [expected])];
}

interface SubjectNames {
  readonly users: string;
  readonly groups: string;
  readonly serviceAccounts: string;
}

/** Subjects by kind, for the wide columns. */
function subjectNames(subjects: readonly Subject[] = []): SubjectNames {
  const named = (kind: string, nameOf: (subject: Subject) => string) =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map(nameOf)
      .join(', ');
  return {
    users: named('User', ({ name = '' }) => name),
    groups: named('Group', ({ name = '' }) => name),
    serviceAccounts: named('ServiceAccount', ({ name = '', namespace = '' }) => `${namespace}/${name}`),
  };
}
