import { byteLength } from '../go/format.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import { pushAll } from '../json/untrusted.ts';
import { invalid, tooLong, type FieldError } from './field-error.ts';

const maxManagerBytes = 128;
const maxSubresourceBytes = 256;

const plainPattern = /^[ -~]*$/;
const unprintablePattern = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Validates entries of managedFields. Their fieldsV1 are checked when they are decoded. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], field: string): FieldError[] {
  return entries.flatMap((entry, i) => validateEntry(entry, `${field}[${i}]`));
}

/** Validates the name of a manager, in an entry or in the `fieldManager` parameter. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors = byteLength(manager) > maxManagerBytes ? [tooLong(field, maxManagerBytes)] : [];
  if (plainPattern.test(manager)) return errors;
  for (const { 0: character, index } of manager.matchAll(unprintablePattern)) {
    const position = byteLength(manager.slice(0, index));
    errors.push(invalid(field, manager, `invalid character ${unicodeName(character)} (at position ${position})`));
  }
  return errors;
}

function validateEntry(
  { operation = '', fieldsType = '', manager = '', subresource = '' }: ManagedFieldsEntry,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalid(`${field}.operation`, operation, 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalid(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  }
  pushAll(errors, validateFieldManager(manager, `${field}.manager`));
  if (byteLength(subresource) > maxSubresourceBytes) {
    errors.push(tooLong(`${field}.subresource`, maxSubresourceBytes));
  }
  return errors;
}

/** Go's `%#U` of an unprintable character: `U+000A`. */
function unicodeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
