/** Field errors about values of Kubernetes' internal types, which are printed with all their fields. */
import { invalid, notSupported, type FieldError, type JsonObject } from '@flotilla/kube';
import { internalForm } from './internal-form.ts';

export function invalidInternal(field: string, type: string, value: JsonObject, detail: string): FieldError {
  return invalid(field, internalForm(type, value), detail);
}

export function unsupportedInternal(
  field: string,
  type: string,
  value: JsonObject,
  supported: readonly string[],
): FieldError {
  return notSupported(field, internalForm(type, value), supported);
}
