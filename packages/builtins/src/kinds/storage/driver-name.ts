import {
  byteLength,
  dns1123SubdomainProblems,
  invalid,
  qualifiedNameProblems,
  required,
  tooLong,
  type FieldError,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';

const maxDriverNameLength = 63;

/** Names of CSI and DRA drivers: domains of any case, short enough for a label. */
export function validateDriverName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const errors = name.length > maxDriverNameLength ? [tooLong(field, maxDriverNameLength)] : [];
  return [...errors, ...invalids(field, name, dns1123SubdomainProblems(name.toLowerCase()))];
}

/** The provisioner of volumes and its parameters: StorageClass and VolumeAttributesClass have both. */
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
