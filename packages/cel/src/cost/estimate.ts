/** Estimates the cost range of an expression from the sizes of its variables. */
import type {
  Call,
  CheckedAst,
  Comprehension,
  Expr,
  Ident,
  ListLiteral,
  MapLiteral,
  Select,
  StructLiteral,
} from '../ast.ts';
import type { Environment } from '../environment.ts';
import type { CallEstimate } from '../library.ts';
import { partsOf, types, type CelType } from '../type.ts';
import { codePoints } from '../values/size.ts';
import {
  fixed,
  maxCost,
  noCost,
  oneUnit,
  plus,
  times,
  union,
  unknownCost,
  type CostRange,
  type EstimatedArgument,
  type SizeOf,
} from './cost.ts';
import { Path } from './path.ts';
import { createListCost, createMapCost, createStructCost, standardEstimates } from './standard-estimates.ts';

export function estimateCost(environment: Environment, ast: CheckedAst, sizeOf: SizeOf): CostRange {
  return new Estimator(environment, ast, sizeOf).cost(ast.expr);
}

/** The sizes of the keys and values of a list or map. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: CostRange;
  readonly value: CostRange;
}

interface LocalVariable {
  readonly path: Path;
  readonly size: CostRange | undefined;
  readonly entrySizes: EntrySizes | undefined;
}

/** The neutral element of `union`. */
const emptyRange: CostRange = { min: maxCost, max: 0 };

class Estimator {
  readonly #environment: Environment;
  readonly #ast: CheckedAst;
  readonly #sizeOf: SizeOf;
  readonly #costs = new Map<number, CostRange>();
  readonly #paths = new Map<number, Path>();
  readonly #sizes = new Map<number, CostRange>();
  readonly #entrySizes = new Map<number, EntrySizes>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(environment: Environment, ast: CheckedAst, sizeOf: SizeOf) {
    this.#environment = environment;
    this.#ast = ast;
    this.#sizeOf = sizeOf;
  }

  /** A node that macros use twice is estimated once. */
  cost(expr: Expr): CostRange {
    const known = this.#costs.get(expr.id);
    if (known !== undefined) return known;
    const cost = this.#costOfKind(expr);
    this.#costs.set(expr.id, cost);
    return cost;
  }

  #costOfKind(expr: Expr): CostRange {
    switch (expr.kind) {
      case 'literal':
        return noCost;
      case 'ident':
        return this.#costOfIdent(expr);
      case 'select':
        return this.#costOfSelect(expr);
      case 'call':
        return this.#costOfCall(expr);
      case 'list':
        return this.#costOfList(expr);
      case 'map':
        return this.#costOfMap(expr);
      case 'struct':
        return this.#costOfStruct(expr);
      case 'comprehension':
        return isBinding(expr) ? this.#costOfBinding(expr) : this.#costOfLoop(expr);
    }
  }

  #costOfIdent(expr: Ident): CostRange {
    this.#paths.set(expr.id, this.#local(expr.name)?.path ?? Path.of(expr.name));
    return oneUnit;
  }

  #costOfSelect(expr: Select): CostRange {
    const operand = this.cost(expr.operand);
    // `has` costs nothing in Kubernetes, for compatibility.
    if (expr.test) return operand;
    this.#paths.set(expr.id, this.#pathOf(expr.operand).append(expr.field));
    const { kind } = this.#typeOf(expr.operand);
    return kind === 'map' || kind === 'object' || kind === 'param' ? plus(operand, oneUnit) : operand;
  }

  #costOfCall(call: Call): CostRange {
    if (call.function === 'dyn') return this.#costOfDyn(call);
    const argCosts = call.args.map((arg) => this.cost(arg));
    const args = call.args.map((arg) => this.#argument(arg));
    const overloads = this.#ast.references.get(call.id)?.overloads ?? [];
    if (overloads.length === 0) return noCost;
    const targetCost = call.target === undefined ? noCost : this.cost(call.target);
    if (call.target !== undefined) args.unshift(this.#argument(call.target));
    let cost = emptyRange;
    let resultSize: CostRange | undefined;
    for (const id of overloads) {
      const estimate = this.#costOfOverload(call, id, args, argCosts);
      cost = union(cost, estimate.cost);
      if (estimate.resultSize !== undefined) {
        resultSize = resultSize === undefined ? estimate.resultSize : union(resultSize, estimate.resultSize);
      }
      if (id === 'index_list' || id === 'index_map') resultSize = this.#stepInto(call, id);
      resultSize ??= this.#computedSize(call);
    }
    if (resultSize !== undefined) this.#sizes.set(call.id, resultSize);
    return plus(targetCost, cost);
  }

  /** `dyn(x)` has the size of `x`. */
  #costOfDyn(call: Call): CostRange {
    const [arg] = call.args as [Expr];
    const cost = this.cost(arg);
    this.#copySizes(call, arg);
    return plus(oneUnit, cost);
  }

  /** Records the path of `list[i]` or `map[k]`. Returns the size of the element. */
  #stepInto(call: Call, id: 'index_list' | 'index_map'): CostRange | undefined {
    const [operand] = call.args as [Expr];
    this.#paths.set(call.id, this.#pathOf(operand).append(id === 'index_list' ? '@items' : '@values'));
    return this.#entrySizesOf(operand)?.value;
  }

  #costOfOverload(
    call: Call,
    id: string,
    args: readonly EstimatedArgument[],
    argCosts: readonly CostRange[],
  ): CallEstimate {
    const [first = noCost, second = noCost, third = noCost] = argCosts;
    if (id === 'logical_and' || id === 'logical_or') {
      return { cost: { min: first.min, max: plus(first, second).max } };
    }
    if (id === 'conditional') {
      this.#joinEntrySizes(call, 1, 2);
      const [, whenTrue, whenFalse] = args as [EstimatedArgument, EstimatedArgument, EstimatedArgument];
      return { cost: plus(first, union(second, third)), resultSize: union(whenTrue.size, whenFalse.size) };
    }
    if (id === 'add_string' || id === 'add_bytes' || id === 'add_list') this.#joinEntrySizes(call, 0, 1);
    const estimate = this.#estimateOf(call.function, id)?.(args) ?? { cost: oneUnit };
    return { ...estimate, cost: argCosts.reduce(plus, estimate.cost) };
  }

  #estimateOf(name: string, id: string): ((args: readonly EstimatedArgument[]) => CallEstimate) | undefined {
    const declared = this.#environment.declarations.functions.get(name)?.overloads;
    return declared?.find(({ overload }) => overload.id === id)?.overload.estimate ?? standardEstimates.get(id);
  }

  #joinEntrySizes(call: Call, first: number, second: number): void {
    const a = this.#entrySizesOf(call.args[first] as Expr);
    const b = this.#entrySizesOf(call.args[second] as Expr);
    if (a === undefined || b === undefined) return;
    this.#entrySizes.set(call.id, {
      container: a.container,
      key: union(a.key, b.key),
      value: union(a.value, b.value),
    });
  }

  #costOfList({ id, elements }: ListLiteral): CostRange {
    let cost = noCost;
    let size = elements.length === 0 ? noCost : emptyRange;
    for (const element of elements) {
      cost = plus(cost, this.cost(element));
      size = union(size, this.#sizeOrUnknown(element));
    }
    this.#entrySizes.set(id, { container: 'list', key: oneUnit, value: size });
    return plus(cost, createListCost);
  }

  #costOfMap({ id, entries }: MapLiteral): CostRange {
    let cost = noCost;
    let keySize = entries.length === 0 ? noCost : emptyRange;
    let valueSize = keySize;
    for (const { key, value } of entries) {
      cost = plus(plus(cost, this.cost(key)), this.cost(value));
      keySize = union(keySize, this.#sizeOrUnknown(key));
      valueSize = union(valueSize, this.#sizeOrUnknown(value));
    }
    this.#entrySizes.set(id, { container: 'map', key: keySize, value: valueSize });
    return plus(cost, createMapCost);
  }

  #costOfStruct({ fields }: StructLiteral): CostRange {
    return fields.reduce((cost, { value }) => plus(cost, this.cost(value)), createStructCost);
  }

  #costOfBinding({ id, range, init, accuVar, result }: Comprehension): CostRange {
    const cost = plus(this.cost(range), this.cost(init));
    this.#push(accuVar, this.#boundTo(init));
    const resultCost = this.cost(result);
    this.#copySizes({ id }, result);
    this.#pop(accuVar);
    return plus(cost, resultCost);
  }

  #costOfLoop(loop: Comprehension): CostRange {
    const { range, init, accuVar, iterVar, iterVar2 } = loop;
    const before = plus(this.cost(range), this.cost(init));
    this.#push(accuVar, this.#boundTo(init));
    this.#pushIteration(range, iterVar, iterVar2);
    const turn = plus(this.cost(loop.condition), this.cost(loop.step));
    this.#pop(iterVar);
    if (iterVar2 !== undefined) this.#pop(iterVar2);
    const after = this.cost(loop.result);
    this.#pop(accuVar);
    const turns = this.#sizeOrUnknown(range);
    this.#setLoopSizes(loop, turns);
    return plus(plus(before, after), times(turns, turn));
  }

  #setLoopSizes({ id, init, step }: Comprehension, turns: CostRange): void {
    if (init.kind === 'literal') {
      const size = this.#computedSize(init);
      if (size !== undefined) this.#sizes.set(id, size);
    } else if (init.kind === 'list' || init.kind === 'map') {
      this.#sizes.set(id, turns);
      const entrySizes = this.#entrySizesOf(step);
      if (entrySizes !== undefined) this.#entrySizes.set(id, entrySizes);
    }
  }

  #pushIteration(range: Expr, iterVar: string, iterVar2: string | undefined): void {
    const sizes = this.#entrySizesOf(range);
    const isList = (sizes?.container ?? this.#typeOf(range).kind) === 'list';
    const value = { step: isList ? '@items' : '@values', size: sizes?.value };
    const key = { step: isList && iterVar2 !== undefined ? '@indices' : '@keys', size: sizes?.key };
    const push = (name: string, { step, size }: { step: string; size: CostRange | undefined }): void => {
      this.#push(name, { path: this.#pathOf(range).append(step), size, entrySizes: undefined });
    };
    push(iterVar, iterVar2 === undefined && isList ? value : key);
    if (iterVar2 !== undefined) push(iterVar2, value);
  }

  #boundTo(expr: Expr): LocalVariable {
    return { path: this.#pathOf(expr), size: this.#computedSize(expr), entrySizes: this.#entrySizesOf(expr) };
  }

  #argument(expr: Expr): EstimatedArgument {
    const path = this.#pathOf(expr);
    const type = this.#typeOf(expr);
    const [root] = path.steps();
    const steps = path.length === 0 || root === '@result' || root === '__result__' ? undefined : path.steps();
    return { expr, type, path: steps, size: this.#sizeOrUnknown(expr), element: () => this.#element(type, steps) };
  }

  #element(type: CelType, path: readonly string[] | undefined): { type: CelType; size: CostRange } | undefined {
    const [element] = partsOf(type);
    if (element === undefined) return undefined;
    const size = this.#sizeOf(path === undefined ? [] : [...path, '@items'], element);
    return { type: element, size: size ?? unknownCost };
  }

  #sizeOrUnknown(expr: Expr): CostRange {
    return this.#computedSize(expr) ?? unknownCost;
  }

  #computedSize(expr: Expr): CostRange | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known !== undefined) return known;
    const type = this.#typeOf(expr);
    const declared = this.#sizeOf(this.#pathOf(expr).steps(), type);
    if (declared !== undefined) {
      this.#sizes.set(expr.id, declared);
      return declared;
    }
    if (isScalar(type)) return oneUnit;
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #entrySizesOf(expr: Expr): EntrySizes | undefined {
    return this.#entrySizes.get(expr.id) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entrySizes : undefined);
  }

  #copySizes({ id }: Pick<Expr, 'id'>, from: Expr): void {
    const size = this.#computedSize(from);
    if (size !== undefined) this.#sizes.set(id, size);
    const entrySizes = this.#entrySizesOf(from);
    if (entrySizes !== undefined) this.#entrySizes.set(id, entrySizes);
  }

  #pathOf(expr: Expr): Path {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? Path.none;
  }

  #typeOf(expr: Expr): CelType {
    return this.#ast.types.get(expr.id) ?? types.dyn;
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, variable: LocalVariable): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [variable]);
    else stack.push(variable);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }
}

/** Macros bind a variable with a fold over an empty list. */
function isBinding({ range, condition }: Comprehension): boolean {
  const isNever = condition.kind === 'literal' && condition.value.type === 'bool' && !condition.value.value;
  return isNever && range.kind === 'list' && range.elements.length === 0;
}

function literalSize(expr: Expr): CostRange | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  if (expr.value.type === 'string') return fixed(codePoints(expr.value.value));
  return expr.value.type === 'bytes' ? fixed(expr.value.value.length) : oneUnit;
}

const scalarKinds: ReadonlySet<CelType['kind']> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  if (type.kind === 'opaque' && type.name === 'optional_type') return isScalar(type.parameters[0] ?? types.dyn);
  return scalarKinds.has(type.kind);
}
