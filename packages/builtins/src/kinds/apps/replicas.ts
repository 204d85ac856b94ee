/** What kinds with a number of replicas have in common. */
import {
  dns1123LabelProblems,
  invalid,
  percentProblems,
  type FieldError,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { internalSelector } from '../core-pods/internal/internal-form.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { semanticEqual } from '../semantic-equal.ts';

/** Pods derive their names and hostnames from the owner's name. */
export function podNameWarnings({ metadata }: KubeObject): string[] {
  const problems = dns1123LabelProblems(metadata.name ?? '');
  if (problems.length === 0) return [];
  const effect = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${effect}; a DNS label is recommended: [${problems.join(' ')}]`];
}

export function checkSameSelector(
  errors: FieldError[],
  selector: LabelSelectorObject | null | undefined,
  old: LabelSelectorObject | null | undefined,
): void {
  if (semanticEqual(selector, old)) return;
  errors.push(invalid('spec.selector', selector ? internalSelector(selector) : null, 'field is immutable'));
}

type Counts = Readonly<Record<string, number | bigint | undefined>>;

export function checkCounts(errors: FieldError[], status: Counts, fields: readonly string[]): void {
  for (const field of fields) checkNotNegative(errors, `status.${field}`, status[field]);
}

/** Counts that are part of another one must not exceed it. */
export function checkParts(
  errors: FieldError[],
  status: Counts,
  fields: readonly string[],
  whole: string,
  name: string,
): void {
  const most = status[whole] ?? 0;
  for (const field of fields) {
    const count = status[field] ?? 0;
    if (count > most) errors.push(invalid(`status.${field}`, count, `cannot be greater than ${name}`));
  }
}

/** The collision count only increases. To remove it is to set it to zero. */
export function checkCollisionCount(errors: FieldError[], status: Counts, old: Counts): void {
  const { collisionCount } = status;
  const before = old['collisionCount'];
  if (before === undefined || (collisionCount !== undefined && collisionCount >= before)) return;
  errors.push(invalid('status.collisionCount', collisionCount ?? 0, 'cannot be decremented'));
}

/** A number of pods, or a percentage of them, such as `25%`. */
export type IntOrPercent = number | string;

export function checkIntOrPercent(errors: FieldError[], path: string, value: IntOrPercent): void {
  if (typeof value === 'number') return checkNotNegative(errors, path, value);
  for (const detail of percentProblems(value)) errors.push(invalid(path, value, detail));
}

export function checkAtMostAll(errors: FieldError[], path: string, value: IntOrPercent): void {
  if (typeof value === 'string' && amountOf(value) > 100) {
    errors.push(invalid(path, value, 'must not be greater than 100%'));
  }
}

/** The number before the percent sign, or the number itself. Zero if the value is neither. */
export function amountOf(value: IntOrPercent): number {
  if (typeof value === 'number') return value;
  if (percentProblems(value).length === 0) return Number.parseInt(value, 10);
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}
