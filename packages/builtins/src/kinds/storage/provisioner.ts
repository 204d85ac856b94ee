/** Who makes volumes, and the parameters for it: StorageClass and VolumeAttributesClass have both. */
import { byteLength, invalid, qualifiedNameProblems, required, tooLong, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';

export type Parameters = Readonly<Record<string, string>>;

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

export function validateProvisioner(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return invalids(field, name.toLowerCase(), qualifiedNameProblems(name.toLowerCase()));
}

export function validateParameters(parameters: Parameters, field: string): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > maxParameters) return [tooLong(field, maxParameters)];
  const errors = entries.filter(([key]) => key === '').map(([key]) => invalid(field, key, 'field can not be empty.'));
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return bytes > maxParameterBytes ? [...errors, tooLong(field, maxParameterBytes)] : errors;
}
