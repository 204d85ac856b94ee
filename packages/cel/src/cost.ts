import type { Expr } from './ast.ts';
import type { CelType } from './type.ts';

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
