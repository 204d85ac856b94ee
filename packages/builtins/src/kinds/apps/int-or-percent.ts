/** Numbers of pods, or shares of them, such as `25%`. */
import { invalid, percentProblems, type FieldError } from '@flotilla/kube';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';

export type IntOrPercent = number | string;

export function checkIntOrPercent(errors: FieldError[], path: string, value: IntOrPercent): void {
  if (typeof value === 'number') return checkNotNegative(errors, path, value);
  for (const sentence of percentProblems(value)) errors.push(invalid(path, value, sentence));
}

export function checkAtMostAll(errors: FieldError[], path: string, value: IntOrPercent): void {
  if (typeof value === 'string' && amountOf(value) > 100) {
    errors.push(invalid(path, value, 'must not be greater than 100%'));
  }
}

/** The number before the percent sign, or the number itself; zero for what is neither. */
export function amountOf(value: IntOrPercent): number {
  if (typeof value === 'number') return value;
  if (percentProblems(value).length === 0) return Number.parseInt(value, 10);
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}
