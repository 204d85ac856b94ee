/** Reckoning with ranges. Nothing grows beyond `maxCost`. */
import { maxCost, type CostRange } from '../cost.ts';

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
