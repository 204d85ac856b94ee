import { goFloat, quote } from '../go/format.ts';
import { goJson } from '../json/go-json.ts';
import { JsonFloat, type JsonValue } from '../json/value.ts';

/** Kubernetes' types of field errors. The value is the `reason` of a cause in a Status. */
type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** An error of one field. `body` is the message after the path. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly body: string;
}

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0` */
export function fieldErrorText({ field, body }: FieldError): string {
  return `${field}: ${body}`;
}

export function required(field: string, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field, body: withDetail('Required value', detail) };
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, body: withDetail('Forbidden', detail) };
}

export function invalid(field: string, value: JsonValue | undefined, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, body: withDetail(`Invalid value: ${printed(value)}`, detail) };
}

/** Has the message of an invalid value and a more specific reason. */
export function typeInvalid(field: string, value: JsonValue, detail: string): FieldError {
  return { ...invalid(field, value, detail), type: 'FieldValueTypeInvalid' };
}

/** For values that are too large to print. */
export function invalidUnprinted(field: string, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, body: withDetail('Invalid value', detail) };
}

/** Prints `supported` in the given order. Callers sort sets, as Kubernetes does. */
export function notSupported(field: string, value: JsonValue | undefined, supported: readonly string[]): FieldError {
  const values = supported.map(quote).join(', ');
  const detail = supported.length === 0 ? '' : `supported values: ${values}`;
  return { type: 'FieldValueNotSupported', field, body: withDetail(`Unsupported value: ${printed(value)}`, detail) };
}

export function duplicate(field: string, value: JsonValue | undefined, detail = ''): FieldError {
  return { type: 'FieldValueDuplicate', field, body: withDetail(`Duplicate value: ${printed(value)}`, detail) };
}

export function notFound(field: string, value: JsonValue | undefined): FieldError {
  return { type: 'FieldValueNotFound', field, body: `Not found: ${printed(value)}` };
}

export function tooLong(field: string, maxBytes: number): FieldError {
  const unit = maxBytes === 1 ? 'byte' : 'bytes';
  return { type: 'FieldValueTooLong', field, body: `Too long: may not be more than ${maxBytes} ${unit}` };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const unit = max === 1 ? 'item' : 'items';
  return { type: 'FieldValueTooMany', field, body: `Too many: ${actual}: must have at most ${max} ${unit}` };
}

export function internalFieldError(field: string, detail: string): FieldError {
  return { type: 'InternalError', field, body: withDetail('Internal error', detail) };
}

function withDetail(body: string, detail: string): string {
  return detail === '' ? body : `${body}: ${detail}`;
}

/**
 * Prints numbers and booleans like `%v`, strings quoted, and everything else as Go's compact JSON. Decoded objects
 * already have Go's field order and sorted map keys.
 */
function printed(value: JsonValue | undefined): string {
  if (typeof value === 'string') return quote(value);
  if (value === undefined || value === null) return 'null';
  if (value instanceof JsonFloat) return goFloat(value.value);
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloat(value);
  return goJson(value, { sortKeys: false });
}
