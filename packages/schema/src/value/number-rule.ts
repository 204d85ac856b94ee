import { goFloat, JsonFloat } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { problems, type Findings, type Problem } from './problem.ts';
import { floatOf, isNearlyWhole, typeRuleOf } from './type-rule.ts';

type NumberValue = number | bigint | JsonFloat;

const minInt64 = -(2 ** 63);
const maxFloat32 = (2 - 2 ** -23) * 2 ** 127;
/** Above this, rounding to 32 bits gives infinity. */
const float32Overflow = maxFloat32 + 2 ** 103;

interface Bound {
  readonly limit: number;
  readonly isExclusive: boolean;
  /** -1: a minimum; 1: a maximum. */
  readonly side: -1 | 1;
}

/**
 * Bounds of numbers. With every value, Kubernetes also validates the bounds against the schema's type. So a fraction as
 * the bound of an integer is an error of each object.
 */
export class NumberRule {
  readonly #type: string;
  readonly #format: string;
  readonly #multipleOf: number | undefined;
  readonly #bounds: readonly Bound[];
  /** The bounds are valid for the type, and only they decide about an integer. */
  readonly #isPlain: boolean;

  constructor(schema: JsonSchema) {
    const { types, format } = typeRuleOf(schema);
    const [type = ''] = types.length === 1 ? types : [];
    const isNumeric = type === 'integer' || type === 'number';
    this.#type = isNumeric ? type : '';
    this.#format = isNumeric ? format : '';
    this.#multipleOf = limitOf(schema.multipleOf);
    this.#bounds = [
      ...boundOf(schema.minimum, schema.exclusiveMinimum, -1),
      ...boundOf(schema.maximum, schema.exclusiveMaximum, 1),
    ];
    const hasOtherRules = this.#multipleOf !== undefined || this.#format === 'float';
    this.#isPlain = !hasOtherRules && this.#bounds.every(({ limit }) => this.#holds(asWritten(limit)));
  }

  fits(value: NumberValue): boolean {
    if (this.#isPlain && isInteger(value))
      return this.#holds(value) && this.#bounds.every((bound) => isWithin(value, bound));
    for (const _ of this.#problems(value, '')) return false;
    return true;
  }

  report(value: NumberValue, path: string, findings: Findings): void {
    for (const problem of this.#problems(value, path)) findings.add(problem);
  }

  *#problems(value: NumberValue, path: string): Generator<Problem> {
    if (!this.#holds(value)) yield this.#misfit('Checked', path);
    if (this.#multipleOf !== undefined) yield* this.#multipleProblems(value, this.#multipleOf, path);
    for (const bound of this.#bounds) yield* this.#boundProblems(value, bound, path);
  }

  *#multipleProblems(value: NumberValue, factor: number, path: string): Generator<Problem> {
    const isFitting = this.#holds(asWritten(factor));
    if (!isFitting) yield this.#misfit('MultipleOf', path);
    const problem =
      isFitting && isInteger(value) ? wholeMultiple(value, factor, path) : multiple(floatOf(value), factor, path);
    if (problem !== undefined) yield problem;
  }

  *#boundProblems(value: NumberValue, bound: Bound, path: string): Generator<Problem> {
    const { limit, isExclusive, side } = bound;
    const isFitting = this.#holds(asWritten(limit));
    if (!isFitting) yield this.#misfit(side === 1 ? 'Maximum boundary' : 'Minimum boundary', path);
    const isWhole = isFitting && isInteger(value);
    const subject = isWhole ? value : asFloat(floatOf(value));
    if (isWithin(subject, bound)) return;
    const text = isWhole ? String(int64Of(limit)) : goFloat(limit);
    const relation = side === 1 ? 'less than' : 'greater than';
    yield problems.should(path, subject, `be ${relation}${isExclusive ? '' : ' or equal to'} ${text}`);
  }

  /** Whether the type and format can hold the number. */
  #holds(value: NumberValue): boolean {
    if (this.#type === 'integer') {
      const float = floatOf(value);
      return Number.isInteger(float) && (this.#format === 'int32' ? isInt32(float) : isInt64(value));
    }
    return this.#format !== 'float' || Math.abs(floatOf(value)) < float32Overflow;
  }

  #misfit(what: string, path: string): Problem {
    const format = this.#format === '' ? '(default format)' : `with format ${this.#format}`;
    return problems.withoutPath(`${what} value must be of type ${this.#type} ${format} in ${path}`);
  }
}

function boundOf(written: number | undefined, isExclusive = false, side: -1 | 1): Bound[] {
  const limit = limitOf(written);
  return limit === undefined ? [] : [{ limit, isExclusive, side }];
}

/** The bound of an integer loses its fraction. */
function isWithin(value: NumberValue, { limit, isExclusive, side }: Bound): boolean {
  const number = value instanceof JsonFloat ? value.value : value;
  const compared = isInteger(value) ? int64Of(limit) : limit;
  if (side === 1) return isExclusive ? number < compared : number <= compared;
  return isExclusive ? number > compared : number >= compared;
}

/** A definition keeps whole floats and large integers as they were written. */
function limitOf(written: number | bigint | JsonFloat | undefined): number | undefined {
  return written === undefined ? undefined : floatOf(written);
}

function wholeMultiple(value: number | bigint, factor: number, path: string): Problem | undefined {
  const whole = int64Of(factor);
  if (whole <= 0n) return problems.factorNotPositive(path, whole, String(whole));
  if (BigInt(value) % whole === 0n) return undefined;
  return problems.should(path, value, `be a multiple of ${whole}`);
}

function multiple(value: number, factor: number, path: string): Problem | undefined {
  if (factor <= 0) return problems.factorNotPositive(path, asFloat(factor), goFloat(factor));
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  if (isNearlyWhole(quotient)) return undefined;
  return problems.should(path, asFloat(value), `be a multiple of ${goFloat(factor)}`);
}

function isInteger(value: NumberValue): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

function isInt32(value: number): boolean {
  return value >= -(2 ** 31) && value < 2 ** 31;
}

function isInt64(value: NumberValue): boolean {
  // Kubernetes parses the float's shortest text, which for the smallest int64 is just out of range.
  return typeof value === 'bigint' || (floatOf(value) > minInt64 && floatOf(value) < -minInt64);
}

/** Go's conversion: truncates the fraction, and turns values out of range into the smallest int64. */
function int64Of(limit: number): bigint {
  return isInt64(limit) || limit === minInt64 ? BigInt(Math.trunc(limit)) : BigInt(minInt64);
}

/** A bound is always a float. */
function asWritten(limit: number): NumberValue {
  return Number.isInteger(limit) ? new JsonFloat(limit) : limit;
}

/** Whole floats print as floats: `1e+06`. */
function asFloat(value: number): number | JsonFloat {
  return Number.isInteger(value) ? new JsonFloat(value) : value;
}
