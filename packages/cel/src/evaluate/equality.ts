import type { Call } from '../ast.ts';
import { CelError, CelOpaque, type CelValue, type Result } from '../value.ts';
import { equals } from '../values/equality.ts';
import { sizeOf, traversalCost } from '../values/size.ts';
import type { Compiled, Compiler, Step } from './compiled.ts';
import type { Frame } from './frame.ts';
import type { Scope } from './scope.ts';

/** `==` and `!=`, for all types: what is unlike is unequal, and that is no error. */
export function compileEquality(compiler: Compiler, expr: Call, scope: Scope): Compiled {
  const [left, right] = expr.args.map((arg) => compiler.compile(arg, scope).evaluate) as [Step, Step];
  const wanted = expr.function === '_==_';
  return {
    evaluate: (frame) => {
      const a = left(frame);
      const b = right(frame);
      if (typeof a === 'string' && typeof b === 'string') {
        chargeText(frame, a, b);
        return (a === b) === wanted;
      }
      if (a instanceof CelError || b instanceof CelError) {
        frame.cost += isEmpty(a) || isEmpty(b) ? 0 : 1;
        return a instanceof CelError ? a : b;
      }
      // Kubernetes gives `==` of its own types a price, but not `!=`.
      frame.charge(wanted && a instanceof CelOpaque ? 1 : equalityCost(a, b));
      const same = equals(a, b);
      return wanted ? same : same !== true;
    },
  };
}

/** Both are read to the end of the shorter one. Up to ten characters cost 1, however they are counted. */
function chargeText(frame: Frame, a: string, b: string): void {
  const shorter = a.length < b.length ? a.length : b.length;
  if (shorter <= 10) frame.cost += shorter === 0 ? 0 : 1;
  else frame.charge(equalityCost(a, b));
}

/** An error counts as one character, and the shorter side counts. */
function isEmpty(value: Result): boolean {
  return !(value instanceof CelError) && sizeOf(value) === 0;
}

function equalityCost(a: CelValue, b: CelValue): number {
  return traversalCost(Math.min(sizeOf(a), sizeOf(b)));
}
