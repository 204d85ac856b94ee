import type { Expr, Reference } from '../ast.ts';
import type { Overload } from '../library.ts';
import type { CelType } from '../type.ts';
import type { CelError, CelValue, Result } from '../value.ts';
import type { Frame } from './frame.ts';
import type { Scope } from './scope.ts';

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
