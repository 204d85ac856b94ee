import type { Expr } from './ast.ts';
import type { CostRange, EstimatedArgument } from './cost/cost.ts';
import { types, type CelType } from './type.ts';
import type { CelError, CelValue, Result } from './value.ts';

/** A named part of the language: functions with their signatures, what they do and what they cost, and macros. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Names that stand for types and constants. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

/** Libraries may add overloads to one name: their declarations are merged. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

export interface Overload {
  /** As cel-go and Kubernetes name it: costs and references go by it. */
  readonly id: string;
  readonly isMember: boolean;
  /** The receiver of a member function is the first. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /** Absent for those that the evaluator treats specially (`_&&_`, `_?_:_`). Arguments fit the parameters. */
  readonly call?: (...args: CelValue[]) => Result;
  /**
   * Makes the call ahead of time where some arguments are literals (the others are undefined): a pattern is then compiled once.
   * An error refuses the whole expression; undefined: nothing is gained.
   */
  readonly prepare?: (literals: readonly (CelValue | undefined)[]) => PreparedCall | CelError | undefined;
  /** What one call costs at run time, charged before it is made, so that nothing large is done unpaid; absent: 1. Whole. */
  readonly cost?: (args: readonly CelValue[]) => number;
  /** What a call may cost, judged before it runs; absent: 1. */
  readonly estimate?: (args: readonly EstimatedArgument[]) => CallEstimate;
}

/** Takes all arguments, those that were known ahead too. */
export type PreparedCall = (...args: CelValue[]) => Result;

export interface CallEstimate {
  readonly cost: CostRange;
  /** How large the result may be, where it has a size. */
  readonly resultSize?: CostRange;
}

/** Rewrites a call while it is parsed. */
export interface Macro {
  readonly function: string;
  readonly isMember: boolean;
  /** Undefined: any number. */
  readonly argCount: number | undefined;
  /** Undefined: it is an ordinary call after all. */
  readonly expand: (maker: ExprMaker, target: Expr | undefined, args: readonly Expr[]) => Expr | undefined;
}

/** Makes nodes at the place of the call that a macro replaces. */
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
  /** Ends parsing of the call with a sentence at `at`. */
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

/** What a call does, with the narrower arguments that its parameters promise. */
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
