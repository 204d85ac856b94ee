/** One requirement of a label selector: `tier in (web,api)`. */
import { aggregate } from '../api-errors.ts';
import { compareBytes } from '../go/format.ts';
import { labelValueProblems, qualifiedNameProblems } from '../names/label.ts';
import { fieldErrorText, invalid, type FieldError } from '../validation/field-error.ts';

export type RequirementOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!';

export type Labels = Readonly<Record<string, string>>;

export interface Requirement {
  readonly key: string;
  readonly operator: RequirementOperator;
  /** Sorted and distinct. */
  readonly values: readonly string[];
}

/** Below this size a scan is faster than a set. */
const minValuesForSet = 8;

/** Throws a SelectorError with every problem of the key and the values. */
export function newRequirement(key: string, operator: RequirementOperator, values: readonly string[]): Requirement {
  const errors = [...keyErrors('key', key), ...countErrors(operator, values), ...valueErrors(key, values)];
  if (errors.length > 0) throw new SelectorError(aggregate(errors.map(fieldErrorText)));
  return { key, operator, values: [...new Set(values)].sort(compareBytes) };
}

/** All problems of a label key in one error. */
export function keyErrors(field: string, key: string): FieldError[] {
  const problems = qualifiedNameProblems(key);
  return problems.length === 0 ? [] : [invalid(field, key, problems.join('; '))];
}

export function compileRequirement({ key, operator, values }: Requirement): (labels: Labels) => boolean {
  const isAmong = membership(values);
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return (labels) => Object.hasOwn(labels, key) && isAmong(labels[key] ?? '');
    case 'notin':
    case '!=':
      return (labels) => !Object.hasOwn(labels, key) || !isAmong(labels[key] ?? '');
    case 'exists':
      return (labels) => Object.hasOwn(labels, key);
    case '!':
      return (labels) => !Object.hasOwn(labels, key);
    case 'gt':
      return comparison(key, values, (label, bound) => label > bound);
    case 'lt':
      return comparison(key, values, (label, bound) => label < bound);
  }
}

/** Whether the requirement holds for objects without its label. */
export function holdsWithoutLabel({ operator }: Requirement): boolean {
  return operator === '!' || operator === '!=' || operator === 'notin';
}

export function printRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
      return `${key}>${values.join(',')}`;
    case 'lt':
      return `${key}<${values.join(',')}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${values.join(',')}`;
  }
}

function membership(values: readonly string[]): (value: string) => boolean {
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  if (values.length < minValuesForSet) return (value) => values.includes(value);
  const set = new Set(values);
  return (value) => set.has(value);
}

function comparison(key: string, values: readonly string[], holds: (label: bigint, bound: bigint) => boolean) {
  const bound = int64In(values[0] ?? '');
  return (labels: Labels): boolean => {
    const label = Object.hasOwn(labels, key) ? int64In(labels[key] ?? '') : undefined;
    return label !== undefined && bound !== undefined && holds(label, bound);
  };
}

function countErrors(operator: RequirementOperator, values: readonly string[]): FieldError[] {
  // Go has no list where there are no values.
  const wrong = (detail: string): FieldError[] => [invalid('values', values.length === 0 ? null : [...values], detail)];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? wrong("for 'in', 'notin' operators, values set can't be empty") : [];
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : wrong('exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return values.length === 0 ? [] : wrong('values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1 ? [] : wrong("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...values.flatMap(integerErrors),
      ];
  }
}

function integerErrors(value: string, index: number): FieldError[] {
  if (int64In(value) !== undefined) return [];
  return [invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")];
}

function valueErrors(key: string, values: readonly string[]): FieldError[] {
  return values.flatMap((value, index) => {
    const problems = labelValueProblems(value);
    return problems.length === 0 ? [] : [invalid(`values[${index}][${key}]`, value, problems.join('; '))];
  });
}

function int64In(text: string): bigint | undefined {
  if (text.length > 20 || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** An invalid selector. The message is Kubernetes'. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}
