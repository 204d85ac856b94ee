import { forbidden, invalid, invalidUnprinted, required, type FieldError, type JsonValue } from '@flotilla/kube';
import type { JsonSchema, ValidationRule } from '../json-schema.ts';
import { duplicateValue, invalidValue } from '../value/printed-errors.ts';

interface Failure {
  readonly field: string;
  readonly value: JsonValue;
  readonly detail: string;
  readonly schema: JsonSchema;
}

/** The error of a rule that is false, of the kind that the rule asks for. Values made of parts are not repeated. */
export function failureOf({ reason = '' }: ValidationRule, { field, value, detail, schema }: Failure): FieldError {
  const isPrinted = schema.type !== 'object' && schema.type !== 'array';
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return isPrinted ? duplicateValue(field, value) : { type: 'FieldValueDuplicate', field, body: 'Duplicate value' };
    default:
      return isPrinted ? invalidValue(field, value, detail) : invalidUnprinted(field, detail);
  }
}

/** The error of a rule that could not be evaluated: the value is named by its type. */
export function typeFailure(field: string, { type = '' }: JsonSchema, detail: string): FieldError {
  return invalid(field, type, detail);
}
