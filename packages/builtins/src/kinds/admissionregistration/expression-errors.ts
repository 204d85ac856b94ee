import { internalFieldError, invalid, type FieldError } from '@flotilla/kube';
import type { ExpressionChecker, ExpressionFault, ExpressionUse, WriteContext } from '../../kind.ts';

export type ExpressionContext = Pick<WriteContext, 'checkExpressions'>;

/** For servers without a compiler. */
const acceptsAll: ExpressionChecker = { addVariable: () => undefined, check: () => undefined };

export function expressionChecker(
  { checkExpressions }: ExpressionContext,
  policy: { readonly hasParams: boolean; readonly hasVariables: boolean },
): ExpressionChecker {
  return checkExpressions?.(policy) ?? acceptsAll;
}

/** `printed` is the value in the message, if it differs from the compiled text. */
export function expressionErrors(
  checker: ExpressionChecker,
  use: ExpressionUse,
  path: string,
  expression: string,
  printed = expression,
): FieldError[] {
  return faultErrors(checker.check(use, expression), path, printed);
}

export function faultErrors(fault: ExpressionFault | undefined, path: string, printed: string): FieldError[] {
  if (fault === undefined) return [];
  return [fault.kind === 'invalid' ? invalid(path, printed, fault.detail) : internalFieldError(path, fault.detail)];
}
