import { invalid, notSupported, parseQuantity, qualifiedNameProblems, required, type FieldError } from '@flotilla/kube';
import { invalids } from '../field-checks.ts';
import type { ClaimFields } from './persistent-volume-claim.ts';

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

export function validateClaimStatus({ spec, status }: ClaimFields): FieldError[] {
  return [
    ...((spec.accessModes ?? []).length === 0 ? [required('Spec.accessModes')] : []),
    ...Object.entries(status.capacity ?? {}).flatMap(([name, amount]) =>
      validateBasicQuantity(`status.capacity[${name}]`, amount),
    ),
    ...validateResizeStatuses(status.allocatedResourceStatuses ?? {}),
    ...validateAllocated(status.allocatedResources ?? {}),
  ];
}

/** The value in the error is a number here. */
export function validateBasicQuantity(field: string, amount: string): FieldError[] {
  const value = parseQuantity(amount).value();
  return value < 0n ? [invalid(field, value, 'must be a valid resource quantity')] : [];
}

function validateResizeStatuses(statuses: Readonly<Record<string, string>>): FieldError[] {
  const field = 'status.allocatedResourceStatuses';
  return Object.entries(statuses).flatMap(([name, status]) => [
    ...validateKey(field, name),
    ...(resizeStatuses.includes(status) ? [] : [notSupported(field, name, resizeStatuses)]),
  ]);
}

function validateAllocated(allocated: Readonly<Record<string, string>>): FieldError[] {
  const field = 'status.allocatedResources';
  return Object.entries(allocated).flatMap(([name, amount]) => {
    const errors = validateKey(field, name);
    return errors.length > 0 ? errors : validateBasicQuantity(`${field}[${name}]`, amount);
  });
}

/** Of Kubernetes' own resources, a claim has only storage. */
function validateKey(field: string, name: string): FieldError[] {
  const errors = invalids(field, name, qualifiedNameProblems(name));
  if (errors.length > 0) return errors;
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return isNative && name !== 'storage' ? [notSupported(field, name, ['storage'])] : [];
}
