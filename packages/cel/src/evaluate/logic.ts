/** Operators that may skip arguments or ignore errors. */
import type { Call } from '../ast.ts';
import { CelError, CelOptional, type Result } from '../value.ts';
import { noSuchOverload } from '../values/errors.ts';
import { resolveOf, type Compiled, type Compiler, type Scope, type Step } from './compiled.ts';

/**
 * `&&` stops at the first false, `||` at the first true, even after an error. Otherwise the first error is the
 * result.
 */
export function compileLogic(compiler: Compiler, expr: Call, scope: Scope, decisive: boolean): Compiled {
  const [left, right] = expr.args.map((arg) => compiler.compile(arg, scope).evaluate) as [Step, Step];
  return {
    evaluate: (frame) => {
      const first = left(frame);
      if (first === decisive) return decisive;
      const second = right(frame);
      if (second === decisive) return decisive;
      return first === !decisive && second === !decisive ? !decisive : errorOf(first, second);
    },
  };
}

function errorOf(first: Result, second: Result): CelError {
  const failed = typeof first === 'boolean' ? second : first;
  return failed instanceof CelError ? failed : noSuchOverload;
}

export function compileConditional(compiler: Compiler, expr: Call, scope: Scope): Compiled {
  const [condition, whenTrue, whenFalse] = expr.args.map((arg) => compiler.compile(arg, scope)) as [
    Compiled,
    Compiled,
    Compiled,
  ];
  const test = condition.evaluate;
  const truthy = resolveOf(whenTrue);
  const falsy = resolveOf(whenFalse);
  const evaluate: Step = (frame) => {
    const chosen = test(frame);
    if (chosen === true) return truthy(frame);
    if (chosen === false) return falsy(frame);
    return chosen instanceof CelError ? chosen : noSuchOverload;
  };
  return { evaluate, resolve: evaluate, accessCost: 0 };
}

/** Lets a loop continue until its result is certain, despite errors. */
export function compileNotStrictlyFalse(compiler: Compiler, expr: Call, scope: Scope): Compiled {
  const [arg] = expr.args.map((each) => compiler.compile(each, scope).evaluate) as [Step];
  return {
    evaluate: (frame) => {
      const value = arg(frame);
      frame.cost += 1;
      return value !== false;
    },
  };
}

/** `optional.or(…)` and `optional.orValue(…)`. The alternative is evaluated only if needed. They cost nothing. */
export function compileOptionalOr(compiler: Compiler, expr: Call, scope: Scope): Compiled {
  const optional = compiler.compile(expr.target as Call, scope).evaluate;
  const [alternative] = expr.args.map((arg) => compiler.compile(arg, scope).evaluate) as [Step];
  const unwraps = expr.function === 'orValue';
  return {
    evaluate: (frame) => {
      const first = optional(frame);
      if (!(first instanceof CelOptional)) return first;
      if (first.value === undefined) return alternative(frame);
      return unwraps ? first.value : first;
    },
  };
}
