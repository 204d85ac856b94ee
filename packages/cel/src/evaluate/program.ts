import type { CheckedAst, Expr, Reference } from '../ast.ts';
import type { Environment } from '../environment.ts';
import type { Overload } from '../library.ts';
import type { CelType } from '../type.ts';
import { CelError, type Result } from '../value.ts';
import { startCounting, stopCounting, isCostLimitReached } from '../values/work.ts';
import { compileCall } from './calls.ts';
import { Frame, ProgramError, Scope, type Compiled, type Compiler, type Step } from './compiled.ts';
import { compileEquality } from './equality.ts';
import { compileList, compileLiteral, compileMap } from './literals.ts';
import { compileConditional, compileLogic, compileNotStrictlyFalse, compileOptionalOr } from './logic.ts';
import { compileLoop } from './loops.ts';
import { compileStruct } from './structs.ts';
import { compileIdent, compileIndex, compileOptionalIndex, compileSelect } from './paths.ts';

/** A compiled expression, ready to run. */
export interface Program {
  evaluate(bindings: Bindings, options?: EvaluationOptions): Evaluation;
}

/** Variables by name. Names may have dots. */
export type Bindings = Readonly<Record<string, Result | undefined>>;

export interface EvaluationOptions {
  /** An evaluation that costs more ends with an error. */
  readonly costLimit?: number;
}

export interface Evaluation {
  readonly value: Result;
  readonly cost: number;
}

/** Compiles to closures. Returns an error if the expression always fails, for example because of an invalid pattern. */
export function program(environment: Environment, ast: CheckedAst): Program | CelError {
  const compiler = new ProgramCompiler(environment, ast);
  try {
    return new CompiledProgram(compiler.compile(ast.expr, Scope.outermost).evaluate, compiler);
  } catch (error) {
    if (error instanceof ProgramError) return error.error;
    throw error;
  }
}

const costExceeded = new CelError('operation cancelled: actual cost limit exceeded');

class CompiledProgram implements Program {
  readonly #evaluate: Step;
  readonly #variables: readonly (readonly [name: string, slot: number])[];
  readonly #emptySlots: readonly (Result | undefined)[];

  constructor(evaluate: Step, compiler: ProgramCompiler) {
    this.#evaluate = evaluate;
    this.#variables = [...compiler.variables];
    this.#emptySlots = Array.from({ length: compiler.slotCount });
  }

  evaluate(bindings: Bindings, { costLimit = Infinity }: EvaluationOptions = {}): Evaluation {
    const frame = new Frame(this.#bind(bindings), costLimit);
    const outerSteps = startCounting();
    try {
      const value = this.#evaluate(frame);
      return { value: frame.cost > costLimit ? costExceeded : value, cost: frame.cost };
    } catch (error) {
      if (isCostLimitReached(error)) return { value: costExceeded, cost: frame.cost };
      throw error;
    } finally {
      stopCounting(outerSteps);
    }
  }

  #bind(bindings: Bindings): (Result | undefined)[] {
    const slots = this.#emptySlots.slice();
    for (const [name, slot] of this.#variables) {
      const value = bindings[name];
      slots[slot] = value === undefined ? new CelError(`no such attribute(s): ${name}`) : value;
    }
    return slots;
  }
}

class ProgramCompiler implements Compiler {
  readonly variables = new Map<string, number>();
  slotCount = 0;
  readonly #environment: Environment;
  readonly #ast: CheckedAst;

  constructor(environment: Environment, ast: CheckedAst) {
    this.#environment = environment;
    this.#ast = ast;
  }

  compile(expr: Expr, scope: Scope): Compiled {
    switch (expr.kind) {
      case 'literal':
        return compileLiteral(expr);
      case 'ident':
        return compileIdent(this, expr, scope);
      case 'select':
        return compileSelect(this, expr, scope);
      case 'call':
        return (specialCalls.get(expr.function) ?? compileCall)(this, expr, scope);
      case 'list':
        return compileList(this, expr, scope);
      case 'map':
        return compileMap(this, expr, scope);
      case 'struct':
        return compileStruct(this, expr, scope);
      case 'comprehension':
        return compileLoop(this, expr, scope);
    }
  }

  typeOf(expr: Expr): CelType | undefined {
    return this.#ast.types.get(expr.id);
  }

  referenceOf(expr: Expr): Reference | undefined {
    return this.#ast.references.get(expr.id);
  }

  overloadsOf(name: string): readonly Overload[] {
    return this.#environment.declarations.functions.get(name)?.overloads.map(({ overload }) => overload) ?? [];
  }

  variable(name: string): number {
    const known = this.variables.get(name);
    if (known !== undefined) return known;
    const slot = this.newSlot();
    this.variables.set(name, slot);
    return slot;
  }

  newSlot(): number {
    return this.slotCount++;
  }
}

/** Functions and operators with their own compilers. */
const specialCalls: ReadonlyMap<string, typeof compileCall> = new Map([
  ['_&&_', (compiler, expr, scope) => compileLogic(compiler, expr, scope, false)],
  ['_||_', (compiler, expr, scope) => compileLogic(compiler, expr, scope, true)],
  ['_?_:_', compileConditional],
  ['@not_strictly_false', compileNotStrictlyFalse],
  ['_==_', compileEquality],
  ['_!=_', compileEquality],
  ['_[_]', compileIndex],
  ['_[?_]', compileOptionalIndex],
  ['_?._', compileOptionalIndex],
  ['or', compileOptionalOr],
  ['orValue', compileOptionalOr],
]);
