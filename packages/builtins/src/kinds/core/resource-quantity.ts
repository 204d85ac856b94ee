/** Amounts of named resources, as LimitRanges, ResourceQuotas, Nodes and volumes hold them. */
import { invalid, parseQuantity, type FieldError, type Quantity } from '@flotilla/kube';
import { checkResourceName, isCounted } from '../core-pods/pod-validation/resource-names.ts';

export type ResourceList = Readonly<Record<string, string>>;

/** Names that stand in ResourceLists of any object. */
export function validateResourceName(field: string, name: string): FieldError[] {
  const errors: FieldError[] = [];
  checkResourceName(errors, field, name);
  return errors;
}

export function validateResourceQuantity(field: string, name: string, text: string): FieldError[] {
  const quantity = parseQuantity(text);
  const errors = validateNotNegative(field, quantity);
  if (isCounted(name) && quantity.milliValue() % 1000n !== 0n) errors.push(invalid(field, text, 'must be an integer'));
  return errors;
}

export function validateNotNegative(field: string, quantity: Quantity): FieldError[] {
  if (quantity.compare(zero) >= 0) return [];
  return [invalid(field, quantity.toString(), 'must be greater than or equal to 0')];
}

export function validatePositive(field: string, quantity: Quantity): FieldError[] {
  if (quantity.compare(zero) > 0) return [];
  return [invalid(field, quantity.toString(), 'must be greater than zero')];
}

const zero = parseQuantity('0');
