import type { Expr, Reference } from '../ast.ts';
import type { Overload } from '../library.ts';
import type { CelType } from '../type.ts';
import type { CelError, CelValue, Result } from '../value.ts';
import { endAtCostLimit } from '../values/work.ts';

export type Step = (frame: Frame) => Result;

/** What an expression became. */
export interface Compiled {
  /** Its value, with all that it costs. */
  readonly evaluate: Step;
  /**
   * Of a path that leads to a value (`a.b[0]`, also `c ? a : b`): without the cost of the one access that a whole path is
   * charged for. So it counts where the path goes on, is an index, or is a branch.
   */
  readonly resolve?: Step;
  /** 0 for `c ? a : b`, whose access costs nothing even where the path goes on. */
  readonly accessCost?: 0 | 1;
  /** A value known ahead, which costs nothing. */
  readonly constant?: CelValue;
}

/** What the compilers of the several kinds of expressions share. */
export interface Compiler {
  compile(expr: Expr, scope: Scope): Compiled;
  typeOf(expr: Expr): CelType | undefined;
  referenceOf(expr: Expr): Reference | undefined;
  overloadsOf(name: string): readonly Overload[];
  /** The place of a variable that is given from outside. */
  variable(name: string): number;
  /** A place for a variable of a loop. */
  newSlot(): number;
}

export function constant(value: CelValue): Compiled {
  return { evaluate: () => value, constant: value };
}

export function resolveOf(compiled: Compiled): Step {
  return compiled.resolve ?? compiled.evaluate;
}

/** The expression can never be evaluated, which is known before it is. */
export class ProgramRefused extends Error {
  readonly error: CelError;

  constructor(error: CelError) {
    super(error.message);
    this.error = error;
  }
}

/** One evaluation: the values of its variables, each in a place of its own, and what it has cost so far. */
export class Frame {
  readonly slots: (Result | undefined)[];
  readonly limit: number;
  /** May be raised without a look at the limit where that is by little, and not in a loop. */
  cost = 0;

  constructor(slots: (Result | undefined)[], limit: number) {
    this.slots = slots;
    this.limit = limit;
  }

  /** Adds what may be large, and ends the evaluation if that is too much. */
  charge(amount: number): void {
    this.cost += amount;
    if (this.cost > this.limit) endAtCostLimit();
  }
}

/** The variables of the loops around an expression; inner ones hide outer ones. */
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

  /** Undefined: it is no loop's variable. */
  find(name: string): Compiled | undefined {
    if (this.#name === name && this.#variable !== undefined) return this.#variable;
    return this.#outer?.find(name);
  }
}
