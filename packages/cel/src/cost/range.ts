/** Reckoning with ranges. Nothing grows beyond `MAX_COST`. */
import { MAX_COST, type CostRange } from '../cost.ts';

export const NOTHING: CostRange = { min: 0, max: 0 };
export const ONE: CostRange = { min: 1, max: 1 };
export const UNKNOWN: CostRange = { min: 0, max: MAX_COST };

/** For each character of a text, or element of a list, that is read once. */
export const TRAVERSAL_FACTOR = 0.1;
/** For each character of a pattern. */
export const PATTERN_FACTOR = 0.25;

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
  return Math.min(amount, MAX_COST);
}
