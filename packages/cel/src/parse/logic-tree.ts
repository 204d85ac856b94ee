import type { Call, Expr } from '../ast.ts';

/** An `&&` or `||` between two terms. */
export interface LogicOperator {
  readonly id: number;
  readonly offset: number;
}

/** A chain of `&&` or of `||` as a balanced tree: however long the chain, the tree is not deep. */
export function balance(name: '_&&_' | '_||_', terms: readonly Expr[], operators: readonly LogicOperator[]): Expr {
  const subtree = (low: number, high: number): Call => {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? (terms[middle] as Expr) : subtree(low, middle - 1);
    const right = middle === high ? (terms[middle + 1] as Expr) : subtree(middle + 1, high);
    const { id, offset } = operators[middle] as LogicOperator;
    return { kind: 'call', id, offset, function: name, target: undefined, args: [left, right] };
  };
  return operators.length === 0 ? (terms[0] as Expr) : subtree(0, operators.length - 1);
}
