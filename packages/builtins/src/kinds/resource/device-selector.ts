import { byteLength, invalid, required, tooLong, type FieldError } from '@flotilla/kube';
import { validateItems } from './bounded-list.ts';

/** A CEL expression over a device. */
export interface DeviceSelector {
  readonly cel?: { readonly expression?: string };
}

const maxSelectors = 32;
const maxExpressionBytes = 10 * 1024;

const literals = 'NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER';
const noExpression = `ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', ${literals}}`;

export function validateSelectors(selectors: readonly DeviceSelector[] = [], path: string): FieldError[] {
  return validateItems(selectors, maxSelectors, validateSelector, path);
}

/** Refuses an empty expression. Others are not compiled: this server schedules nothing, so it never evaluates them. */
function validateSelector({ cel }: DeviceSelector, path: string): FieldError[] {
  if (cel === undefined) return [required(`${path}.cel`)];
  const { expression = '' } = cel;
  const field = `${path}.cel.expression`;
  if (expression === '') return [invalid(field, expression, `compilation failed: ${noExpression}`)];
  return byteLength(expression) > maxExpressionBytes ? [tooLong(field, maxExpressionBytes)] : [];
}
