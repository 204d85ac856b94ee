import { dns1123SubdomainProblems, required, tooLong, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';

const maxLength = 63;

/** Names of CSI and of DRA drivers: domains of any case, but short enough for a label. */
export function validateDriverName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const errors = name.length > maxLength ? [tooLong(field, maxLength)] : [];
  return [...errors, ...invalids(field, name, dns1123SubdomainProblems(name.toLowerCase()))];
}
