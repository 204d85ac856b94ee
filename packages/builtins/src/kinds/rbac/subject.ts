import { nameIsDnsSubdomain, notSupported, pushAll, rbacGroup, required, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';
import type { RuleScope } from './policy-rule.ts';

/** Who a binding is for. */
export interface Subject {
  readonly kind?: string;
  apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Users and groups belong to RBAC's own group; service accounts to none. */
export function setSubjectDefaults(subject: Subject): void {
  if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= rbacGroup;
}

export function validateSubject(subject: Subject, scope: RuleScope, path: string): FieldError[] {
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

/** Subjects by kind, as the wide columns of a binding list them. */
export function subjectNames(subjects: readonly Subject[] = []): SubjectNames {
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
