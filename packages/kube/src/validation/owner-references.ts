import { pushAll } from '../json/untrusted.ts';
import type { OwnerReference } from '../object.ts';
import { invalid, type FieldError } from './field-error.ts';

/** Each error about a second controller repeats the whole list. Limits the references in all errors together. */
const maxRepeatedReferences = 20_000;

export function validateOwnerReferences(references: readonly OwnerReference[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller = '';
  let repeated = 0;
  for (const reference of references) {
    pushAll(errors, validateOwnerReference(reference, field));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (controller === '') {
      controller = name;
    } else if (repeated < maxRepeatedReferences) {
      repeated += references.length;
      const intro = 'Only one reference can have Controller set to true. Found "true" in references for';
      errors.push(invalid(field, [...references], `${intro} ${controller} and ${name}`));
    }
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, field: string): FieldError[] {
  const { apiVersion, kind, name, uid } = reference;
  const errors: FieldError[] = [];
  if (!hasVersion(apiVersion)) errors.push(invalid(`${field}.apiVersion`, apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(invalid(`${field}.kind`, kind, 'must not be empty'));
  if (name === '') errors.push(invalid(`${field}.name`, name, 'must not be empty'));
  if (uid === '') errors.push(invalid(`${field}.uid`, uid, 'must not be empty'));
  if (apiVersion === 'v1' && kind === 'Event') {
    errors.push(invalid(field, reference, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

/** `v1` and `apps/v1` have a version. A text with more slashes is no API version. */
function hasVersion(apiVersion: string): boolean {
  const parts = apiVersion.split('/', 3);
  return parts.length < 3 && parts.at(-1) !== '';
}

interface DistinctOwners {
  readonly references: OwnerReference[];
  /** The warning for the client, if references were dropped. */
  readonly warning: string | undefined;
}

/** Drops references that equal another one in every field. */
export function distinctOwnerReferences(references: readonly OwnerReference[], after?: 'mutation'): DistinctOwners {
  const byUid = new Map<string, OwnerReference[]>();
  const distinct: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const reference of references) {
    const alike = byUid.get(reference.uid);
    if (alike?.some((other) => isSame(other, reference))) {
      repeated.push(reference.uid);
      continue;
    }
    distinct.push(reference);
    if (alike === undefined) byUid.set(reference.uid, [reference]);
    else alike.push(reference);
  }
  return { references: distinct, warning: repeated.length === 0 ? undefined : warningAbout(repeated, after) };
}

function warningAbout(uids: readonly string[], after: 'mutation' | undefined): string {
  const when = after === 'mutation' ? ' after mutating admission happens' : '';
  return (
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
    `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`
  );
}

function isSame(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}
