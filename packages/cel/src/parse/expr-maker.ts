import type { Call, Expr, LiteralValue } from '../ast.ts';
import type { ExprMaker, FoldParts } from '../library.ts';

/** The accumulator variable of loops. No identifier has this form. */
const accumulatorName = '@result';

/** The arguments of a macro are invalid. */
export class MacroFailure {
  readonly offset: number;
  readonly message: string;

  constructor(offset: number, message: string) {
    this.offset = offset;
    this.message = message;
  }
}

/** Every node gets the position of the macro call. */
export function createExprMaker(offset: number, nextId: () => number): ExprMaker {
  const literal = (value: LiteralValue): Expr => ({ kind: 'literal', id: nextId(), offset, value });
  const ident = (name: string): Expr => ({ kind: 'ident', id: nextId(), offset, name });
  const select = (operand: Expr, field: string, test: boolean): Expr => ({
    kind: 'select',
    id: nextId(),
    offset,
    operand,
    field,
    test,
  });
  const call = (name: string, target: Expr | undefined, args: readonly Expr[]): Expr => ({
    kind: 'call',
    id: nextId(),
    offset,
    function: name,
    target,
    args,
  });
  return {
    literal: (value) => literal(literalValue(value)),
    ident,
    accuIdent: () => ident(accumulatorName),
    accuVar: accumulatorName,
    select: (operand, field) => select(operand, field, false),
    presenceTest: (operand, field) => select(operand, field, true),
    call: (name, ...args) => call(name, undefined, args),
    memberCall: (name, target, ...args) => call(name, target, args),
    list: (...elements) => ({ kind: 'list', id: nextId(), offset, elements, optional: noIds }),
    map: (...entries) => ({
      kind: 'map',
      id: nextId(),
      offset,
      entries: entries.map(([key, value]) => ({ id: nextId(), offset, key, value, optional: false })),
    }),
    fold: (parts) => comprehension(nextId(), offset, parts),
    fail: (at, message) => {
      throw new MacroFailure(at.offset, message);
    },
  };
}

const noIds: ReadonlySet<number> = new Set();

function literalValue(value: boolean | bigint | string): LiteralValue {
  if (typeof value === 'boolean') return { type: 'bool', value };
  return typeof value === 'bigint' ? { type: 'int', value } : { type: 'string', value };
}

function comprehension(id: number, offset: number, parts: FoldParts): Expr {
  return {
    kind: 'comprehension',
    id,
    offset,
    ...parts,
    iterVar2: parts.iterVar2,
    accuVar: parts.accuVar ?? accumulatorName,
  };
}

/** An `&&` or `||` between two terms. */
export interface LogicOperator {
  readonly id: number;
  readonly offset: number;
}

/** A chain of `&&` or `||` as a balanced tree, so that long chains are not deep. */
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
