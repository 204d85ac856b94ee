/** Field errors about values whose members stand in the order that a user chose: Go prints maps with sorted keys. */
import { duplicate, goJson, invalid, JsonFloat, notSupported, type FieldError, type JsonValue } from '@flotilla/kube';

export function invalidValue(field: string, value: JsonValue, detail: string): FieldError {
  const error = invalid(field, isCompound(value) ? null : value, detail);
  return isCompound(value) ? { ...error, body: `Invalid value: ${goJson(value)}: ${detail}` } : error;
}

export function duplicateValue(field: string, value: JsonValue): FieldError {
  const error = duplicate(field, isCompound(value) ? null : value);
  return isCompound(value) ? { ...error, body: `Duplicate value: ${goJson(value)}` } : error;
}

export function notSupportedValue(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const error = notSupported(field, isCompound(value) ? null : value, supported);
  if (!isCompound(value)) return error;
  return { ...error, body: error.body.replace('Unsupported value: null', () => `Unsupported value: ${goJson(value)}`) };
}

function isCompound(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof JsonFloat);
}
