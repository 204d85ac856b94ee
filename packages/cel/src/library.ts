import type { Expr } from './ast.ts';
import type { CostRange, EstimatedArgument } from './cost/cost.ts';
import { types, type CelType } from './type.ts';
import type { CelError, CelValue, Result } from './value.ts';

/** A named set of functions with signatures, implementations and costs, and of macros. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Names of types and constants. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

/** Several libraries may add overloads to one name. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

export interface Overload {
  /** The id in cel-go and Kubernetes. Costs and references use it. */
  readonly id: string;
  readonly isMember: boolean;
  /** The first one is the receiver of a member function. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /** Absent for operators that the evaluator implements (`_&&_`, `_?_:_`). Arguments always fit the parameters. */
  readonly call?: (...args: CelValue[]) => Result;
  /**
   * Specializes the call for literal arguments; others are undefined. So a literal pattern is compiled once. Returns
   * an error to refuse the whole expression, or undefined if there is nothing to specialize.
   */
  readonly prepare?: (literals: readonly (CelValue | undefined)[]) => PreparedCall | CelError | undefined;
  /** The run-time cost, a whole number, charged before the call. Default: 1. */
  readonly cost?: (args: readonly CelValue[]) => number;
  /** The estimated cost. Default: 1. */
  readonly estimate?: (args: readonly EstimatedArgument[]) => CallEstimate;
}

/** Takes all arguments, including the literal ones. */
export type PreparedCall = (...args: CelValue[]) => Result;

export interface CallEstimate {
  readonly cost: CostRange;
  /** The estimated size of the result, if it has a size. */
  readonly resultSize?: CostRange;
}

/** Rewrites a call during parsing. */
export interface Macro {
  readonly function: string;
  readonly isMember: boolean;
  /** Undefined: any number. */
  readonly argCount: number | undefined;
  /** Returns undefined if the call is no macro after all. */
  readonly expand: (maker: ExprMaker, target: Expr | undefined, args: readonly Expr[]) => Expr | undefined;
}

/** Creates nodes at the position of the macro call. */
export interface ExprMaker {
  readonly literal: (value: boolean | bigint | string) => Expr;
  readonly ident: (name: string) => Expr;
  readonly accuIdent: () => Expr;
  readonly accuVar: string;
  readonly select: (operand: Expr, field: string) => Expr;
  readonly presenceTest: (operand: Expr, field: string) => Expr;
  readonly call: (name: string, ...args: Expr[]) => Expr;
  readonly memberCall: (name: string, target: Expr, ...args: Expr[]) => Expr;
  readonly list: (...elements: Expr[]) => Expr;
  readonly map: (...entries: [key: Expr, value: Expr][]) => Expr;
  readonly fold: (parts: FoldParts) => Expr;
  /** Reports an error at the position of `at` and stops parsing the call. */
  readonly fail: (at: Expr, message: string) => never;
}

export interface FoldParts {
  readonly range: Expr;
  readonly iterVar: string;
  readonly iterVar2?: string;
  readonly accuVar?: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type OverloadParts = Pick<Overload, 'cost' | 'estimate' | 'prepare'>;

/** Takes narrower arguments, as the parameter types guarantee. */
type Implementation = (...args: never[]) => Result;

export function declare(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

export function overload(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call?: Implementation,
  parts: OverloadParts = {},
): Overload {
  return {
    id,
    isMember: false,
    parameters,
    result,
    ...(call && { call: call as NonNullable<Overload['call']> }),
    ...parts,
  };
}

/** The first parameter is the receiver. */
export function member(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call?: Implementation,
  parts: OverloadParts = {},
): Overload {
  return { ...overload(id, parameters, result, call, parts), isMember: true };
}

export const paramA: CelType = types.param('A');
export const paramB: CelType = types.param('B');
export const listOfA: CelType = types.list(paramA);
export const mapOfAB: CelType = types.map(paramA, paramB);
