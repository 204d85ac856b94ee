/** Reckoning with ranges. Nothing grows beyond `maxCost`. */
import type { Expr } from '../ast.ts';
import type { CelType } from '../type.ts';

/**
 * Cost units as cel-go counts them. Sums and products stay at `maxCost` instead of going over, like its saturating
 * integers; a double is exact far beyond every limit that is compared with.
 */
export const maxCost = 2 ** 64;

/** The least and the most that something may cost, or how small and large it may be. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** What is known of an argument before anything runs. */
export interface EstimatedArgument {
  readonly expr: Expr;
  readonly type: CelType;
  /** The path by which it is reached from a variable, where it is: `['self', 'spec', 'names', '@items']`. */
  readonly path: readonly string[] | undefined;
  /** Its length; unknown: from nothing to `maxCost`. */
  readonly size: CostRange;
  /** What is known of the elements, where it is made of any. */
  readonly element: () => EstimatedElement | undefined;
}

export interface EstimatedElement {
  readonly type: CelType;
  readonly size: CostRange;
}

/**
 * Says how large what lies at a path may be (`@items`, `@keys`, `@values` name elements); undefined: unknown. The path is empty
 * where nothing leads there from a variable.
 */
export type SizeOf = (path: readonly string[], type: CelType) => CostRange | undefined;

export const noCost: CostRange = { min: 0, max: 0 };
export const oneUnit: CostRange = { min: 1, max: 1 };
export const unknownCost: CostRange = { min: 0, max: maxCost };

/** For each character of a text, or element of a list, that is read once. */
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

/** Rounded up to whole units. */
export function scaled(range: CostRange, factor: number): CostRange {
  return { min: capped(Math.ceil(range.min * factor)), max: capped(Math.ceil(range.max * factor)) };
}

export function union(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function capped(amount: number): number {
  return Math.min(amount, maxCost);
}
