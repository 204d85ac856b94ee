/** Paths from a variable or another value into it: `a.b`, `a[0]`, `a.?b`, `a[?0]`, `has(a.b)`. */
import type { Call, Ident, Select } from '../ast.ts';
import { CelError, CelMap, CelOptional, CelStruct, CelTypeValue, type CelValue, type Result } from '../value.ts';
import { constant, resolveOf, type Compiled, type Compiler, type Step } from './compiled.ts';
import type { Frame } from './frame.ts';
import { find, isPresent, missing } from './find.ts';
import type { Scope } from './scope.ts';

export function compileIdent(compiler: Compiler, expr: Ident, scope: Scope): Compiled {
  const loopVariable = scope.find(expr.name);
  if (loopVariable) return loopVariable;
  return compileName(compiler, expr, expr.name);
}

/** A variable from outside, or a type, whose name may have dots. */
function compileName(compiler: Compiler, expr: Ident | Select, written: string): Compiled {
  const type = compiler.typeOf(expr);
  if (type?.kind === 'type' && type.of) return constant(new CelTypeValue(type.of));
  const name = compiler.referenceOf(expr)?.name ?? written;
  return slotVariable(compiler.variable(name.startsWith('.') ? name.slice(1) : name));
}

export function slotVariable(slot: number): Compiled {
  return {
    evaluate: (frame) => {
      frame.cost += 1;
      return frame.slots[slot] as Result;
    },
    resolve: (frame) => frame.slots[slot] as Result,
    accessCost: 1,
  };
}

export function compileSelect(compiler: Compiler, expr: Select, scope: Scope): Compiled {
  if (compiler.referenceOf(expr)?.name !== undefined) return compileName(compiler, expr, expr.field);
  const operand = compiler.compile(expr.operand, scope);
  const { accessCost = 1 } = operand;
  if (expr.test) {
    // Kubernetes takes back the access: a test costs only its last step.
    return path((own) => testStep(resolveOf(operand), expr.field, own), accessCost, 0);
  }
  return path((own) => selectStep(resolveOf(operand), expr.field, own), accessCost);
}

export function compileIndex(compiler: Compiler, expr: Call, scope: Scope): Compiled {
  const [operand, key] = compileBoth(compiler, expr, scope);
  const { accessCost = 1 } = operand;
  return path((own) => indexStep(resolveOf(operand), resolveOf(key), own), accessCost);
}

/** `a.?b` and `a[?b]`. */
export function compileOptionalIndex(compiler: Compiler, expr: Call, scope: Scope): Compiled {
  const [operand, key] = compileBoth(compiler, expr, scope);
  const { accessCost = 1 } = operand;
  return path((own) => optionalStep(resolveOf(operand), resolveOf(key), own), accessCost);
}

function compileBoth(compiler: Compiler, { args }: Call, scope: Scope): [operand: Compiled, key: Compiled] {
  const [operand, key] = args.map((arg) => compiler.compile(arg, scope));
  return [operand as Compiled, key as Compiled];
}

function path(step: (ownCost: number) => Step, accessCost: 0 | 1, evaluateCost: number = accessCost): Compiled {
  return { evaluate: step(evaluateCost), resolve: step(0), accessCost };
}

function selectStep(operand: Step, field: string, ownCost: number): Step {
  const absent = missing(field, undefined);
  return (frame) => {
    const object = operand(frame);
    if (object instanceof CelStruct || object instanceof CelMap) {
      frame.cost += ownCost + 1;
      const value = object.get(field);
      return value === undefined ? absent : value;
    }
    frame.cost += ownCost;
    return step(frame, object, field);
  };
}

function indexStep(operand: Step, key: Step, ownCost: number): Step {
  return (frame) => {
    const object = operand(frame);
    frame.cost += ownCost;
    if (object instanceof CelError || isNone(object)) return object;
    const index = key(frame);
    if (index instanceof CelError) {
      frame.cost += 1;
      return index;
    }
    return step(frame, object, index);
  };
}

/** One step from a value. What an optional holds is stepped into, and what is found becomes an optional again. */
function step(frame: Frame, object: Result, key: CelValue): Result {
  if (object instanceof CelError) return object;
  if (object instanceof CelOptional)
    return object.value === undefined ? object : optionalPart(frame, object.value, key);
  frame.cost += 1;
  const value = find(object, key);
  return value === undefined ? missing(key, object) : value;
}

function optionalStep(operand: Step, key: Step, ownCost: number): Step {
  return (frame) => {
    const object = operand(frame);
    frame.cost += ownCost;
    if (object instanceof CelError || isNone(object)) return object;
    const index = key(frame);
    if (index instanceof CelError) return index;
    return optionalPart(frame, object instanceof CelOptional ? (object.value as CelValue) : object, index);
  };
}

function optionalPart(frame: Frame, object: CelValue, key: CelValue): Result {
  const value = find(object, key);
  if (value === undefined) return CelOptional.none;
  if (value instanceof CelError) return value;
  frame.cost += 1;
  return new CelOptional(value);
}

function testStep(operand: Step, field: string, ownCost: number): Step {
  return (frame) => {
    const object = operand(frame);
    frame.cost += ownCost;
    if (object instanceof CelError) return object;
    if (isNone(object)) return false;
    frame.cost += 1;
    return isPresent(object instanceof CelOptional ? (object.value as CelValue) : object, field);
  };
}

function isNone(value: Result): boolean {
  return value instanceof CelOptional && value.value === undefined;
}
