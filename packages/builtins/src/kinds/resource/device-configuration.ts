import {
  byteLength,
  goJson,
  invalid,
  isJsonObject,
  required,
  tooLong,
  type FieldError,
  type JsonValue,
} from '@flotilla/kube';
import { validateDriverName } from '../storage/driver-name.ts';

/** Settings that only the driver understands. */
export interface DeviceConfiguration {
  readonly opaque?: { readonly driver?: string; readonly parameters?: JsonValue };
}

const maxParameterBytes = 10 * 1024;

export function validateConfiguration({ opaque }: DeviceConfiguration, path: string): FieldError[] {
  if (opaque === undefined) return [required(`${path}.opaque`)];
  return [
    ...validateDriverName(opaque.driver ?? '', `${path}.opaque.driver`),
    ...validateParameters(opaque.parameters, `${path}.opaque.parameters`),
  ];
}

function validateParameters(parameters: JsonValue | undefined, field: string): FieldError[] {
  if (parameters === undefined || parameters === null) return [required(field)];
  if (byteLength(goJson(parameters)) > maxParameterBytes) return [tooLong(field, maxParameterBytes)];
  return isJsonObject(parameters) ? [] : [invalid(field, '<value omitted>', 'must be a valid JSON object')];
}
