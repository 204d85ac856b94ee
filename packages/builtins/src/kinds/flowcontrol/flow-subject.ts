import {
  forbidden,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  notSupported,
  pushAll,
  required,
  type FieldError,
} from '@flotilla/kube';
import { invalids } from '../problems.ts';

export interface FlowSubject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: ServiceAccountSubject;
}

interface ServiceAccountSubject {
  readonly namespace?: string;
  readonly name?: string;
}

/** The member that each kind of subject fills, in the order in which the others are refused. */
const members = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
] as const;

export function validateFlowSubject(subject: FlowSubject, path: string): FieldError[] {
  const own = members.find(([kind]) => kind === subject.kind);
  if (own === undefined) {
    return [notSupported(`${path}.kind`, subject.kind ?? '', ['Group', 'ServiceAccount', 'User'])];
  }
  const others = members.filter(([kind, member]) => kind !== subject.kind && subject[member] !== undefined);
  const refusals = others.map(([kind, member]) =>
    forbidden(`${path}.${member}`, `${member} is forbidden when subject kind is not '${kind}'`),
  );
  return [...validateMember(subject, own, path), ...refusals];
}

function validateMember(subject: FlowSubject, [kind, member]: (typeof members)[number], path: string): FieldError[] {
  const value = subject[member];
  const field = `${path}.${member}`;
  if (value === undefined) return [required(field, `${member} is required when subject kind is '${kind}'`)];
  if (kind === 'ServiceAccount') return validateServiceAccount(value, field);
  return value.name ? [] : [required(`${field}.name`)];
}

function validateServiceAccount({ name = '', namespace = '' }: ServiceAccountSubject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  else if (name !== '*') pushAll(errors, invalids(`${path}.name`, name, nameIsDnsSubdomain(name, false)));
  if (namespace === '') errors.push(required(`${path}.namespace`, 'must specify namespace for service account'));
  else pushAll(errors, invalids(`${path}.namespace`, namespace, nameIsDnsLabel(namespace, false)));
  return errors;
}
