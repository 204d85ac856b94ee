import { byteLength, required, tooLong, type FieldError } from '@flotilla/kube';
import { validateItems } from './bounded-list.ts';

/** A CEL expression over a device. */
export interface DeviceSelector {
  readonly cel?: { readonly expression?: string };
}

const maxSelectors = 32;
const maxExpressionBytes = 10 * 1024;

export function validateSelectors(selectors: readonly DeviceSelector[] = [], path: string): FieldError[] {
  return validateItems(selectors, maxSelectors, validateSelector, path);
}

function validateSelector({ cel }: DeviceSelector, path: string): FieldError[] {
  if (cel === undefined) return [required(`${path}.cel`)];
  const isTooLong = byteLength(cel.expression ?? '') > maxExpressionBytes;
  return isTooLong ? [tooLong(`${path}.cel.expression`, maxExpressionBytes)] : [];
}
