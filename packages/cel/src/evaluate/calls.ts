/** Calls of functions and operators that evaluate all arguments first. */
import type { Call } from '../ast.ts';
import type { Overload } from '../library.ts';
import { CelError, type CelValue, type Result } from '../value.ts';
import { constant, Frame, ProgramError, type Compiled, type Compiler, type Scope, type Step } from './compiled.ts';
import { compileMembership } from './equality.ts';
import { alwaysFits, fitsAll, noOverload } from './overload-fit.ts';

/** Evaluated once for a constant, and then free. */
const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** For expressions without variables. */
const constantFrame = new Frame([], Infinity);

/** A call before an overload is chosen. */
interface CallParts {
  readonly name: string;
  readonly args: readonly Compiled[];
  readonly candidates: readonly Overload[];
  readonly overloads: readonly Overload[];
}

type Implementation = NonNullable<Overload['call']>;
type Cost = NonNullable<Overload['cost']>;

export function compileCall(compiler: Compiler, expr: Call, scope: Scope): Compiled {
  const { function: name, target } = expr;
  const exprs = target ? [target, ...expr.args] : expr.args;
  const args = exprs.map((arg) => compiler.compile(arg, scope));
  const candidates = candidatesOf(compiler, expr, name, target !== undefined);
  const parts: CallParts = { name, args, candidates, overloads: compiler.overloadsOf(name) };
  const [only] = candidates;
  if (only?.id === 'in_list' && candidates.length === 1) {
    const membership = compileMembership(args);
    if (membership) return membership;
  }
  const isExact =
    candidates.length === 1 && only?.parameters.every((type, i) => alwaysFits(type, compiler.typeOf(exprs[i] as Call)));
  const step = only !== undefined && isExact === true ? exactCall(only, args) : chosenCall(parts);
  return conversions.has(name) && args.length === 1 ? foldConversion(step, args) : { evaluate: step };
}

function candidatesOf(compiler: Compiler, expr: Call, name: string, isMember: boolean): readonly Overload[] {
  const ids = compiler.referenceOf(expr)?.overloads;
  const all = compiler.overloadsOf(name);
  if (ids) return all.filter((overload) => ids.includes(overload.id));
  return all.filter((overload) => overload.isMember === isMember);
}

function foldConversion(step: Step, [arg]: readonly Compiled[]): Compiled {
  if (arg?.constant === undefined) return { evaluate: step };
  const value = step(constantFrame);
  if (value instanceof CelError) throw new ProgramError(value);
  return constant(value);
}

/** A single overload that always accepts the arguments. */
function exactCall(overload: Overload, args: readonly Compiled[]): Step {
  const implementation = implementationOf(overload, args);
  const steps = args.map((arg) => arg.evaluate);
  const [first, second] = steps;
  if (steps.length === 1 && first) return unaryCall(implementation, overload.cost, first);
  if (steps.length === 2 && first && second) return binaryCall(implementation, overload.cost, first, second);
  return (frame) => {
    const values = evaluateAll(frame, steps);
    if (values instanceof CelError) return values;
    frame.charge(overload.cost?.(values) ?? 1);
    return implementation(...values);
  };
}

function unaryCall(implementation: Implementation, cost: Cost | undefined, arg: Step): Step {
  return (frame) => {
    const value = arg(frame);
    if (value instanceof CelError) {
      frame.cost += 1;
      return value;
    }
    if (cost === undefined) frame.cost += 1;
    else frame.charge(cost([value]));
    return implementation(value);
  };
}

/** Evaluates both sides even if the first is an error, and charges for a call. */
function binaryCall(implementation: Implementation, cost: Cost | undefined, left: Step, right: Step): Step {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (a instanceof CelError || b instanceof CelError) {
      frame.cost += 1;
      return a instanceof CelError ? a : b;
    }
    if (cost === undefined) frame.cost += 1;
    else frame.charge(cost([a, b]));
    return implementation(a, b);
  };
}

/** Chooses the overload by the run-time types. */
function chosenCall({ name, args, candidates, overloads }: CallParts): Step {
  const steps = args.map((arg) => arg.evaluate);
  const implementations = candidates.map((overload) => implementationOf(overload, args));
  // cel-go finds the cost of an operator by its overload, which is unknown here. Other functions have a cost by name.
  const isCheap = candidates.length !== 1 && (conversions.has(name) || /^[_@!-]/.test(name));
  return (frame) => {
    const values = evaluateAll(frame, steps);
    if (values instanceof CelError) return values;
    const chosen = firstFit(candidates, values);
    frame.charge((isCheap ? undefined : candidates[chosen]?.cost?.(values)) ?? 1);
    const implementation = implementations[chosen];
    return implementation ? implementation(...values) : noOverload(name, overloads, values);
  };
}

/** The position of the overload that accepts the values, or one that does not exist. */
function firstFit(candidates: readonly Overload[], values: readonly CelValue[]): number {
  let at = 0;
  while (at < candidates.length && !fitsAll(candidates[at] as Overload, values)) at++;
  return at;
}

function implementationOf(overload: Overload, args: readonly Compiled[]): Implementation {
  const prepared = overload.prepare?.(args.map((arg) => arg.constant));
  if (prepared instanceof CelError) throw new ProgramError(prepared);
  const implementation = prepared ?? overload.call;
  if (implementation === undefined) throw new Error(`the overload ${overload.id} has no implementation`);
  return implementation;
}

function evaluateAll(frame: Frame, steps: readonly Step[]): CelValue[] | CelError {
  const values: CelValue[] = [];
  let failure: CelError | undefined;
  for (const step of steps) {
    const value: Result = step(frame);
    if (!(value instanceof CelError)) values.push(value);
    else if (steps.length > 2) return value;
    else failure ??= value;
  }
  if (failure) frame.cost += 1;
  return failure ?? values;
}
