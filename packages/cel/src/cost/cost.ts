/** Cost ranges and their arithmetic. Nothing exceeds `maxCost`. */
import type { Expr } from '../ast.ts';
import type { CelType } from '../type.ts';

/**
 * Cost units of cel-go. Sums and products saturate at `maxCost`, like its integers. A double is exact far beyond
 * every limit.
 */
export const maxCost = 2 ** 64;

/** Minimum and maximum of a cost or size. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** What is known of an argument before evaluation. */
export interface EstimatedArgument {
  readonly expr: Expr;
  readonly type: CelType;
  /** The path from a variable, if there is one: `['self', 'spec', 'names', '@items']`. */
  readonly path: readonly string[] | undefined;
  /** Its size. Unknown: 0 to `maxCost`. */
  readonly size: CostRange;
  /** What is known of its elements, if it has any. */
  readonly element: () => EstimatedElement | undefined;
}

export interface EstimatedElement {
  readonly type: CelType;
  readonly size: CostRange;
}

/**
 * The size of the value at a path (`@items`, `@keys`, `@values` are elements); undefined if unknown. The path is
 * empty if no variable leads to the value.
 */
export type SizeOf = (path: readonly string[], type: CelType) => CostRange | undefined;

export const noCost: CostRange = { min: 0, max: 0 };
export const oneUnit: CostRange = { min: 1, max: 1 };
export const unknownCost: CostRange = { min: 0, max: maxCost };

/** For each character or element that is read once. */
export const traversalFactor = 0.1;
/** For each character of a pattern. */
export const patternFactor = 0.25;

export function fixed(amount: number): CostRange {
  return { min: amount, max: amount };
}

export function plus(a: CostRange, b: CostRange): CostRange {
  return { min: capped(a.min + b.min), max: capped(a.max + b.max) };
}

export function times(a: CostRange, b: CostRange): CostRange {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Rounds up to whole units. */
export function scaled(range: CostRange, factor: number): CostRange {
  return { min: capped(Math.ceil(range.min * factor)), max: capped(Math.ceil(range.max * factor)) };
}

export function union(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function capped(amount: number): number {
  return Math.min(amount, maxCost);
}
