import { goJson, type FieldError, type JsonObject } from '@flotilla/kube';

/** Errors about whole structs, which Go prints in the order of their fields, unlike maps. */
export function duplicateStruct(field: string, value: JsonObject, detail = ''): FieldError {
  return { type: 'FieldValueDuplicate', field, body: bodyOf('Duplicate value', value, detail) };
}

export function invalidStruct(field: string, value: JsonObject, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, body: bodyOf('Invalid value', value, detail) };
}

function bodyOf(what: string, value: JsonObject, detail: string): string {
  const body = `${what}: ${goJson(value, { sortKeys: false })}`;
  return detail === '' ? body : `${body}: ${detail}`;
}
