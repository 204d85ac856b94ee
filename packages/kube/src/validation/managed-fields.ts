import { byteLength } from '../go-format.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import { pushAll } from '../push-all.ts';
import { invalid, tooLong, type FieldError } from './field-error.ts';

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

const PLAIN = /^[ -~]*$/;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** The entries that server-side apply keeps about who owns which field. Their fields are checked where they are read. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], field: string): FieldError[] {
  return entries.flatMap((entry, i) => validateEntry(entry, `${field}[${i}]`));
}

/** The name of a manager, in an entry or in the `fieldManager` parameter of a request. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors = byteLength(manager) > MAX_MANAGER_BYTES ? [tooLong(field, MAX_MANAGER_BYTES)] : [];
  if (PLAIN.test(manager)) return errors;
  for (const { 0: character, index } of manager.matchAll(UNPRINTABLE)) {
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
  if (byteLength(subresource) > MAX_SUBRESOURCE_BYTES) {
    errors.push(tooLong(`${field}.subresource`, MAX_SUBRESOURCE_BYTES));
  }
  return errors;
}

/** Go's `%#U`, which shows only what can be printed: `U+000A`. */
function unicodeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
