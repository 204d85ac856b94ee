import type { Comprehension, Expr } from '../ast.ts';
import { CelError, CelList, CelMap, type CelValue, type Result } from '../value.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import { typeOf } from '../values/type-of.ts';
import { countWork } from '../values/work.ts';
import type { Compiled, Compiler, Frame, Scope, Step } from './compiled.ts';
import { slotVariable } from './paths.ts';

/** The compiled parts of a loop. */
interface Loop {
  readonly slot: number;
  readonly slot2: number | undefined;
  readonly accuSlot: number;
  readonly condition: Step;
  readonly step: Step;
}

export function compileLoop(compiler: Compiler, expr: Comprehension, scope: Scope): Compiled {
  const range = compiler.compile(expr.range, scope).evaluate;
  const start = initialValue(compiler, expr.init, scope);
  const accuSlot = compiler.newSlot();
  const outer = scope.with(expr.accuVar, start.isLazy ? lazyVariable(accuSlot, start.make) : slotVariable(accuSlot));
  const slot = compiler.newSlot();
  const slot2 = expr.iterVar2 === undefined ? undefined : compiler.newSlot();
  const inner = withLoopVariables(outer, expr, slot, slot2);
  const loop: Loop = {
    slot,
    slot2,
    accuSlot,
    condition: compiler.compile(expr.condition, inner).evaluate,
    step: compiler.compile(expr.step, inner).evaluate,
  };
  const result = compiler.compile(expr.result, outer).evaluate;
  return {
    evaluate: (frame) => {
      const over = range(frame);
      if (over instanceof CelError) return over;
      frame.slots[accuSlot] = start.isLazy ? undefined : start.make(frame);
      const failure = run(frame, loop, over);
      return failure ?? finished(result(frame));
    },
  };
}

function withLoopVariables(outer: Scope, expr: Comprehension, slot: number, slot2: number | undefined): Scope {
  const inner = outer.with(expr.iterVar, slotVariable(slot));
  return expr.iterVar2 === undefined || slot2 === undefined ? inner : inner.with(expr.iterVar2, slotVariable(slot2));
}

function run(frame: Frame, loop: Loop, over: CelValue): CelError | undefined {
  if (over instanceof CelList) overList(frame, loop, over);
  else if (over instanceof CelMap) overMap(frame, loop, over);
  else return notIterable(over, loop.slot2 !== undefined);
  return undefined;
}

/** cel-go prints the Go type of the value. */
function notIterable(value: CelValue, hasTwoVariables: boolean): CelError {
  const { kind } = typeOf(value);
  const name = `types.${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return new CelError(
    hasTwoVariables ? `unsupported comprehension range type: ${name}` : `got '${name}', expected iterable type`,
  );
}

function overList(frame: Frame, loop: Loop, list: CelList): void {
  const { slot, slot2 } = loop;
  const { size } = list;
  for (let i = 0; i < size; i++) {
    if (slot2 === undefined) frame.slots[slot] = list.at(i);
    else {
      frame.slots[slot] = BigInt(i);
      frame.slots[slot2] = list.at(i);
    }
    if (!turn(frame, loop)) return;
  }
}

function overMap(frame: Frame, loop: Loop, map: CelMap): void {
  for (const key of map.keys()) {
    frame.slots[loop.slot] = key;
    if (loop.slot2 !== undefined) frame.slots[loop.slot2] = map.get(key);
    if (!turn(frame, loop)) return;
  }
}

/** Returns false if the loop ended. An error in the condition does not end it. */
function turn(frame: Frame, { accuSlot, condition, step }: Loop): boolean {
  if (condition(frame) === false) return false;
  frame.slots[accuSlot] = step(frame);
  frame.charge(0);
  countWork(1);
  return true;
}

interface InitialValue {
  readonly make: Step;
  /** Evaluated on first use: `cel.bind` costs nothing if its variable is unused. */
  readonly isLazy: boolean;
}

/** An empty list or map is created for each run, and extended in place. */
function initialValue(compiler: Compiler, init: Expr, scope: Scope): InitialValue {
  if (init.kind === 'list' && init.elements.length === 0) return { make: () => new ListBuilder(), isLazy: false };
  if (init.kind === 'map' && init.entries.length === 0) return { make: () => new EntryMap(), isLazy: false };
  const { evaluate, constant } = compiler.compile(init, scope);
  return { make: evaluate, isLazy: constant === undefined };
}

function lazyVariable(slot: number, make: Step): Compiled {
  const resolve: Step = (frame) => {
    const known = frame.slots[slot];
    if (known !== undefined) return known;
    const value = make(frame);
    frame.slots[slot] = value;
    return value;
  };
  return {
    evaluate: (frame) => {
      frame.cost += 1;
      return resolve(frame);
    },
    resolve,
    accessCost: 1,
  };
}

/** A finished list must not be extended in place. */
function finished(value: Result): Result {
  return value instanceof ListBuilder ? new ArrayList(value.elements) : value;
}

/**
 * The list under construction in a loop. `+` appends in place, so that a thousand turns do not create a thousand
 * lists.
 */
class ListBuilder extends CelList {
  readonly elements: CelValue[] = [];

  override get size(): number {
    return this.elements.length;
  }

  override at(index: number): Result {
    return this.elements[index] as CelValue;
  }

  override concat(other: CelList): CelList | CelError {
    for (let i = 0; i < other.size; i++) {
      const element = other.at(i);
      if (element instanceof CelError) return element;
      this.elements.push(element);
    }
    return this;
  }
}
