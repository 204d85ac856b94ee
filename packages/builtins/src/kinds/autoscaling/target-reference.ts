import { invalid, pathSegmentProblems, required, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';
import type { ScaleTarget } from './autoscaler-fields.ts';

/** What an API version in a reference may be. */
export interface ReferenceLeniency {
  readonly anyVersion?: boolean;
  readonly emptyGroup?: boolean;
}

export function validateReference(
  { kind, name, apiVersion = '' }: ScaleTarget,
  field: string,
  leniency: ReferenceLeniency,
): FieldError[] {
  const segment = (value: string, path: string) =>
    value === '' ? [required(path)] : invalids(path, value, pathSegmentProblems(value));
  const fault = leniency.anyVersion ? undefined : apiVersionFault(apiVersion, leniency);
  return [
    ...segment(kind, `${field}.kind`),
    ...segment(name, `${field}.name`),
    ...(fault === undefined ? [] : [invalid(`${field}.apiVersion`, apiVersion, fault)]),
  ];
}

/** Why this is no API version for a reference. */
export function apiVersionFault(apiVersion: string, { emptyGroup = false }: ReferenceLeniency): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return group === '' && !emptyGroup ? 'apiVersion must specify API group' : undefined;
}
