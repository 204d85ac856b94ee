/** Quantities of named resources in LimitRanges, ResourceQuotas, Nodes and volumes. */
import { invalid, type FieldError, type Quantity } from '@flotilla/kube';
import { checkResourceName } from '../core-pods/pod-validation/resource-names.ts';
import { checkQuantity } from '../core-pods/pod-validation/resources.ts';

export type ResourceList = Readonly<Record<string, string>>;

export function validateResourceName(field: string, name: string): FieldError[] {
  const errors: FieldError[] = [];
  checkResourceName(errors, field, name);
  return errors;
}

/** Quantities must not be negative, and whole for counted resources. */
export function validateResourceQuantity(field: string, name: string, quantity: string): FieldError[] {
  const errors: FieldError[] = [];
  checkQuantity(errors, field, name, quantity);
  return errors;
}

export function validatePositive(field: string, quantity: Quantity): FieldError[] {
  return quantity.sign > 0 ? [] : [invalid(field, quantity.toString(), 'must be greater than zero')];
}
