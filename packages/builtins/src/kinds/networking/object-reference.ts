import { dns1123SubdomainProblems, pathSegmentProblems, required, type FieldError } from '@flotilla/kube';
import { invalids } from '../problems.ts';
import type { ObjectReference } from './ingress-fields.ts';

export function validateObjectReference({ apiGroup, kind, name }: ObjectReference, field: string): FieldError[] {
  return [
    // An empty group is written down, and refused, where an absent one is the core group.
    ...(typeof apiGroup === 'string'
      ? invalids(`${field}.apiGroup`, apiGroup, dns1123SubdomainProblems(apiGroup))
      : []),
    ...validateSegment(kind, `${field}.kind`),
    ...validateSegment(name, `${field}.name`),
  ];
}

/** A required part of a path. */
export function validateSegment(value: string, field: string): FieldError[] {
  return value === '' ? [required(field)] : invalids(field, value, pathSegmentProblems(value));
}
