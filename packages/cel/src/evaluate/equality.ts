import type { Call } from '../ast.ts';
import { CelError, CelOpaque, CelUint, type CelValue, type Result } from '../value.ts';
import { equals } from '../values/equality.ts';
import { ArrayList } from '../values/list.ts';
import { mapKey } from '../values/map.ts';
import { sizeOf, traversalCost } from '../values/size.ts';
import { constant, type Compiled, type Compiler, type Frame, type Scope, type Step } from './compiled.ts';

/** `==` and `!=` for all types. Values of different types are unequal, without an error. */
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
      // Kubernetes defines a cost for `==` of its own types, but not for `!=`.
      frame.charge(wanted && a instanceof CelOpaque ? 1 : equalityCost(a, b));
      const same = equals(a, b);
      return wanted ? same : same !== true;
    },
  };
}

/** Both are read to the end of the shorter one. Up to ten characters cost 1 in every encoding. */
function chargeText(frame: Frame, a: string, b: string): void {
  const shorter = a.length < b.length ? a.length : b.length;
  if (shorter <= 10) frame.cost += shorter === 0 ? 0 : 1;
  else frame.charge(equalityCost(a, b));
}

/** An error has the size 1. */
function isEmpty(value: Result): boolean {
  return !(value instanceof CelError) && sizeOf(value) === 0;
}

function equalityCost(a: CelValue, b: CelValue): number {
  return traversalCost(Math.min(sizeOf(a), sizeOf(b)));
}

/**
 * `x in ['a', 'b']`: a constant list becomes a set, and the lookup is free. Returns undefined if the list is not
 * constant, or has elements other than scalars.
 */
export function compileMembership([value, list]: readonly Compiled[]): Compiled | undefined {
  const elements = list?.constant instanceof ArrayList ? list.constant.elements : undefined;
  if (value === undefined || elements === undefined || !elements.every(isPrimitive)) return undefined;
  if (elements.length === 0) return constant(false);
  const set = new Set(elements.filter((element) => !Number.isNaN(element)).map(mapKey));
  const { evaluate } = value;
  return {
    evaluate: (frame) => {
      const wanted = evaluate(frame);
      if (typeof wanted === 'string') return set.has(wanted);
      return wanted instanceof CelError ? wanted : set.has(mapKey(wanted));
    },
  };
}

function isPrimitive(value: CelValue): boolean {
  return value instanceof CelUint || (typeof value !== 'object' && value !== undefined);
}
