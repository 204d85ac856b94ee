/** Paths into values: `a.b`, `a[0]`, `a.?b`, `a[?0]`, `has(a.b)`. */
import type { Call, Ident, Select } from '../ast.ts';
import {
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelStruct,
  CelTypeValue,
  CelUint,
  type CelValue,
  type Result,
} from '../value.ts';
import { typeName, typeOf } from '../values/type-of.ts';
import { valueText } from '../values/value-text.ts';
import { constant, resolveOf, type Compiled, type Compiler, type Frame, type Scope, type Step } from './compiled.ts';

export function compileIdent(compiler: Compiler, expr: Ident, scope: Scope): Compiled {
  const loopVariable = scope.find(expr.name);
  if (loopVariable) return loopVariable;
  return compileName(compiler, expr, expr.name);
}

/** An input variable or a type. The name may have dots. */
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
    // Kubernetes refunds the access: a test costs only its last step.
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

/** One step into a value. Steps into the value of an optional return an optional. */
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

/** Undefined if there is no such part. */
function find(object: CelValue, key: CelValue): Result | undefined {
  if (object instanceof CelStruct) return typeof key === 'string' ? object.get(key) : undefined;
  if (object instanceof CelMap) return object.get(key);
  if (object instanceof CelList) return element(object, key);
  return undefined;
}

function isPresent(object: CelValue, field: string): Result {
  const value = find(object, field);
  if (value instanceof CelError && object instanceof CelList) return value;
  return value !== undefined;
}

function missing(key: CelValue, object: CelValue | undefined): CelError {
  const what = object instanceof CelList ? 'index out of bounds' : 'no such key';
  return new CelError(`${what}: ${valueText(key)}`);
}

function element(list: CelList, key: CelValue): Result | undefined {
  const index = typeof key === 'bigint' ? key : wholeIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0n && index < BigInt(list.size) ? list.at(Number(index)) : undefined;
}

function wholeIndex(key: CelValue): bigint | CelError {
  if (key instanceof CelUint) return key.value;
  if (typeof key !== 'number') return new CelError(`unsupported index type '${typeName(typeOf(key))}' in list`);
  return Number.isInteger(key) ? BigInt(key) : new CelError(`unsupported index value ${valueText(key)} in list`);
}
