import type { Expr, Reference } from '../ast.ts';
import type { Overload } from '../library.ts';
import type { CelType } from '../type.ts';
import type { CelError, CelValue, Result } from '../value.ts';
import { endAtCostLimit } from '../values/work.ts';

export type Step = (frame: Frame) => Result;

/** A compiled expression. */
export interface Compiled {
  /** Evaluates the expression and charges its whole cost. */
  readonly evaluate: Step;
  /**
   * For a path (`a.b[0]`, also `c ? a : b`): evaluates without the cost of the access that a whole path is charged
   * once. Used where the path continues, is an index, or is a branch.
   */
  readonly resolve?: Step;
  /** 0 for `c ? a : b`, whose access is free even if the path continues. */
  readonly accessCost?: 0 | 1;
  /** A value known at compile time. It costs nothing. */
  readonly constant?: CelValue;
}

/** What the compilers of all kinds of expressions share. */
export interface Compiler {
  compile(expr: Expr, scope: Scope): Compiled;
  typeOf(expr: Expr): CelType | undefined;
  referenceOf(expr: Expr): Reference | undefined;
  overloadsOf(name: string): readonly Overload[];
  /** The slot of an input variable. */
  variable(name: string): number;
  /** A new slot for a loop variable. */
  newSlot(): number;
}

export function constant(value: CelValue): Compiled {
  return { evaluate: () => value, constant: value };
}

export function resolveOf(compiled: Compiled): Step {
  return compiled.resolve ?? compiled.evaluate;
}

/** The expression always fails, which is known at compile time. */
export class ProgramError extends Error {
  readonly error: CelError;

  constructor(error: CelError) {
    super(error.message);
    this.error = error;
  }
}

/** One evaluation: the values of all variables by slot, and the cost so far. */
export class Frame {
  readonly slots: (Result | undefined)[];
  readonly limit: number;
  /** Small amounts outside loops may be added without a check of the limit. */
  cost = 0;

  constructor(slots: (Result | undefined)[], limit: number) {
    this.slots = slots;
    this.limit = limit;
  }

  /** Adds a cost, and stops the evaluation beyond the limit. */
  charge(amount: number): void {
    this.cost += amount;
    if (this.cost > this.limit) endAtCostLimit();
  }
}

/** The loop variables around an expression. Inner ones shadow outer ones. */
export class Scope {
  static readonly outermost: Scope = new Scope(undefined, '', undefined);

  readonly #outer: Scope | undefined;
  readonly #name: string;
  readonly #variable: Compiled | undefined;

  private constructor(outer: Scope | undefined, name: string, variable: Compiled | undefined) {
    this.#outer = outer;
    this.#name = name;
    this.#variable = variable;
  }

  with(name: string, variable: Compiled): Scope {
    return new Scope(this, name, variable);
  }

  /** Undefined if it is no loop variable. */
  find(name: string): Compiled | undefined {
    if (this.#name === name && this.#variable !== undefined) return this.#variable;
    return this.#outer?.find(name);
  }
}
