/** Validation of the metadata of every object. */
import type { NameRule } from '../names/object-name.ts';
import { nameIsDnsLabel } from '../names/object-name.ts';
import { goSyntaxOf, compareBytes } from '../go/format.ts';
import type { JsonValue } from '../json/value.ts';
import type { ObjectMeta } from '../object.ts';
import { foregroundFinalizer, orphanFinalizer, standardFinalizers } from '../well-known-names.ts';
import { forbidden, invalid, required, type FieldError } from './field-error.ts';
import { validateAnnotations, validateLabelName, validateLabels } from './labels.ts';
import { validateManagedFields } from './managed-fields.ts';
import { validateOwnerReferences } from './owner-references.ts';

/** Most lists are empty, and an array literal that spreads them all would be made for every write. */
function joined(...lists: readonly FieldError[][]): FieldError[] {
  let all: FieldError[] = [];
  for (const list of lists) if (list.length > 0) all = all.length === 0 ? list : [...all, ...list];
  return all;
}

const fieldIsImmutable = 'field is immutable';

interface ObjectMetaRules {
  readonly isNamespaced: boolean;
  readonly nameRule: NameRule;
  /** Custom resources and a few built-in kinds accept other finalizers without a domain. */
  readonly allowsShortFinalizers?: boolean;
  /** `metadata`, unless the object is inside another. */
  readonly field?: string;
}

export function validateObjectMeta(
  meta: ObjectMeta,
  { isNamespaced, nameRule, allowsShortFinalizers = false, field = 'metadata' }: ObjectMetaRules,
): FieldError[] {
  return joined(
    validateName(meta, nameRule, field),
    validateNamespace(meta.namespace ?? '', isNamespaced, `${field}.namespace`),
    validateNonNegative(meta.generation ?? 0, `${field}.generation`),
    validateLabels(meta.labels, `${field}.labels`),
    validateAnnotations(meta.annotations, `${field}.annotations`),
    validateOwnerReferences(meta.ownerReferences ?? [], `${field}.ownerReferences`),
    validateFinalizers(meta.finalizers ?? [], `${field}.finalizers`),
    validateManagedFields(meta.managedFields ?? [], `${field}.managedFields`),
    allowsShortFinalizers ? [] : validateKubeFinalizers(meta.finalizers ?? [], `${field}.finalizers`),
  );
}

interface UpdateRules {
  /** `metadata`, unless the object is inside another. */
  readonly field?: string;
  /** Whether `validateObjectMeta` found no errors: then only what changed is left to validate. */
  readonly isValid?: boolean;
}

export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  { field = 'metadata', isValid = false }: UpdateRules = {},
): FieldError[] {
  return joined(
    old.deletionTimestamp === undefined ? [] : validateNoNewFinalizers(meta, old, `${field}.finalizers`),
    validateRevision(meta.resourceVersion ?? '', `${field}.resourceVersion`),
    validateGeneration(meta.generation ?? 0, old.generation ?? 0, `${field}.generation`),
    immutable(meta.name ?? '', old.name ?? '', `${field}.name`),
    immutable(meta.namespace ?? '', old.namespace ?? '', `${field}.namespace`),
    immutable(meta.uid ?? '', old.uid ?? '', `${field}.uid`),
    immutable(meta.creationTimestamp, old.creationTimestamp, `${field}.creationTimestamp`),
    immutable(meta.deletionTimestamp, old.deletionTimestamp, `${field}.deletionTimestamp`),
    immutable(meta.deletionGracePeriodSeconds, old.deletionGracePeriodSeconds, `${field}.deletionGracePeriodSeconds`),
    isValid ? [] : validateContent(meta, field),
  );
}

function validateContent(meta: ObjectMeta, field: string): FieldError[] {
  return joined(
    validateLabels(meta.labels, `${field}.labels`),
    validateAnnotations(meta.annotations, `${field}.annotations`),
    validateOwnerReferences(meta.ownerReferences ?? [], `${field}.ownerReferences`),
    validateManagedFields(meta.managedFields ?? [], `${field}.managedFields`),
  );
}

function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors = finalizers.flatMap((finalizer) => validateLabelName(finalizer, field));
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    errors.push(
      invalid(field, [...finalizers], `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`),
    );
  }
  return errors;
}

/** A finalizer without a domain must be one of Kubernetes' own. */
export function validateKubeFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  return finalizers.flatMap((finalizer, i) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalid(`${field}[${i}]`, finalizer, detail)];
  });
}

function validateNonNegative(value: number | bigint, field: string): FieldError[] {
  return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
}

function validateName({ name = '', generateName = '' }: ObjectMeta, nameRule: NameRule, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (generateName !== '') {
    for (const problem of nameRule(generateName, true)) {
      errors.push(invalid(`${field}.generateName`, generateName, problem));
    }
  }
  if (name === '') return [...errors, required(`${field}.name`, 'name or generateName is required')];
  for (const problem of nameRule(name, false)) errors.push(invalid(`${field}.name`, name, problem));
  return errors;
}

function validateNamespace(namespace: string, isNamespaced: boolean, field: string): FieldError[] {
  if (!isNamespaced) return namespace === '' ? [] : [forbidden(field, 'not allowed on this type')];
  if (namespace === '') return [required(field)];
  return nameIsDnsLabel(namespace, false).map((problem) => invalid(field, namespace, problem));
}

function validateNoNewFinalizers(meta: ObjectMeta, old: ObjectMeta, field: string): FieldError[] {
  const before = new Set(old.finalizers);
  const added = [...new Set(meta.finalizers)].filter((finalizer) => !before.has(finalizer)).sort(compareBytes);
  if (added.length === 0) return [];
  const intro = 'no new finalizers can be added if the object is being deleted';
  return [forbidden(field, `${intro}, found new finalizers ${goSyntaxOf(added)}`)];
}

function validateRevision(resourceVersion: string, field: string): FieldError[] {
  return resourceVersion === '' ? [invalid(field, resourceVersion, 'must be specified for an update')] : [];
}

function validateGeneration(generation: number, old: number, field: string): FieldError[] {
  return generation < old ? [invalid(field, generation, 'must not be decremented')] : [];
}

/** For scalars. Null equals absent. */
function immutable(value: JsonValue | undefined, old: JsonValue | undefined, field: string): FieldError[] {
  return (value ?? undefined) === (old ?? undefined) ? [] : [invalid(field, value, fieldIsImmutable)];
}
