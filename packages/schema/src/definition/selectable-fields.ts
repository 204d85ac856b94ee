import { duplicate, invalid, required, tooMany, type FieldError } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { followFieldPath } from '../structural/field-path.ts';

export type SelectableFields = readonly { readonly jsonPath: string }[];

export const maxSelectableFields = 8;

const selectableTypes: readonly string[] = ['string', 'boolean', 'integer'];

interface Limits {
  /** Whether there were too many before, and the list is unchanged. */
  readonly mayBeTooMany: boolean;
}

export function validateSelectableFields(
  fields: SelectableFields,
  schema: JsonSchema,
  path: string,
  { mayBeTooMany }: Limits,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  fields.forEach(({ jsonPath }, i) => checkField(jsonPath, schema, seen, `${path}[${i}].jsonPath`, errors));
  if (seen.size > maxSelectableFields && !mayBeTooMany) errors.push(tooMany(path, seen.size, maxSelectableFields));
  return errors;
}

function checkField(jsonPath: string, schema: JsonSchema, seen: Set<string>, path: string, errors: FieldError[]): void {
  if (jsonPath === '') {
    errors.push(required(path));
    return;
  }
  const found = followFieldPath(jsonPath, schema, { mayIndex: false });
  if ('problem' in found) {
    errors.push(invalid(path, jsonPath, `is an invalid path: ${found.problem}`));
    return;
  }
  if (found.root === 'metadata') errors.push(invalid(path, jsonPath, 'must not point to fields in metadata'));
  if (!selectableTypes.includes(found.schema?.type ?? '')) {
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    errors.push(invalid(path, jsonPath, detail));
  }
  if (seen.has(found.path)) errors.push(duplicate(path, jsonPath));
  else seen.add(found.path);
}
