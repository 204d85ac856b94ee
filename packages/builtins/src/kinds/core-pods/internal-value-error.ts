/** Field errors about values of Kubernetes' internal types, which are printed with all their fields. */
import { goJson, quote, type FieldError, type JsonObject } from '@flotilla/kube';
import { invalidStruct } from '../struct-error.ts';
import { internalForm } from './internal-form.ts';

export function invalidInternal(field: string, type: string, value: JsonObject, detail: string): FieldError {
  return invalidStruct(field, internalForm(type, value), detail);
}

export function unsupportedInternal(
  field: string,
  type: string,
  value: JsonObject,
  supported: readonly string[],
): FieldError {
  const printed = goJson(internalForm(type, value), { sortKeys: false });
  const values = supported.map(quote).join(', ');
  return { type: 'FieldValueNotSupported', field, body: `Unsupported value: ${printed}: supported values: ${values}` };
}
