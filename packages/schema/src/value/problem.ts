/** Problems of values: Kubernetes' messages, and the field errors that contain them. */
import {
  duplicate,
  goJson,
  invalid,
  JsonFloat,
  notSupported,
  quote,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  type FieldError,
  type JsonValue,
} from '@flotilla/kube';
import type { Choices } from './choices.ts';

export interface Problem {
  /** Two problems with the same message are one problem. */
  readonly message: string;
  /** Undefined for messages that contain the path only in their text. */
  readonly path: string | undefined;
  readonly at: (field: string) => FieldError;
}

export const problems = {
  type: (path: string, expected: string, found: string): Problem => {
    const message = `${path} in body must be of type ${expected}: ${quote(found)}`;
    return { message, path, at: (field) => typeInvalid(field, found, message) };
  },
  required: (path: string): Problem => ({
    message: `${path} in body is required`,
    path,
    at: (field) => required(field),
  }),
  choice: (path: string, value: JsonValue, { list, texts }: Choices): Problem => ({
    message: `${path} in body should be one of ${list}`,
    path,
    at: (field) => notSupportedValue(field, value, texts),
  }),
  tooLong: (path: string, max: number): Problem => ({
    message: `${path} in body should be at most ${max} chars long`,
    path,
    at: (field) => tooLong(field, max),
  }),
  tooManyItems: (path: string, count: number, max: number): Problem => ({
    message: `${path} in body should have at most ${max} items`,
    path,
    at: (field) => tooMany(field, count, max),
  }),
  tooManyProperties: (path: string, count: number, max: number): Problem => ({
    message: `${path} in body should have at most ${max} properties`,
    path,
    at: (field) => tooMany(field, count, max),
  }),
  /** Every message of the form `… in body should …`. */
  should: (path: string, value: JsonValue, rest: string): Problem => {
    const message = `${path} in body should ${rest}`;
    return { message, path, at: (field) => invalidValue(field, value, message) };
  },
  forbiddenProperty: (path: string, key: string): Problem => {
    const message = `${path}.${key} in body is a forbidden property`;
    return { message, path, at: (field) => invalid(field, key, message) };
  },
  factorNotPositive: (path: string, factor: JsonValue, text: string): Problem => {
    const message = `factor MultipleOf declared for ${path} must be positive: ${text}`;
    return { message, path, at: (field) => invalid(field, factor, message) };
  },
  /** Messages without a path. */
  withoutPath: (message: string): Problem => ({
    message,
    path: undefined,
    at: (field) => invalid(field, '', message),
  }),
} as const;

/** `prefix`: the path of the validated value in the object; empty for the object itself. */
export function fieldErrorOf({ path = '', at }: Problem, prefix: string): FieldError {
  const name = path.startsWith('.') ? path.slice(1) : path;
  if (name === '') return at(prefix === '' ? '<nil>' : prefix);
  return at(prefix === '' ? name : `${prefix}.${name}`);
}

/** Limits the response: many items that violate an enum of many values would exhaust the memory. */
const maxProblems = 2000;
const maxTextLength = 2 ** 22;

/** Problems in the order in which they were found, without duplicates. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly #messages = new Set<string>();
  #textLength = 0;

  /** Whether further problems are dropped. */
  get isFull(): boolean {
    return this.#textLength > maxTextLength || this.problems.length >= maxProblems;
  }

  add(problem: Problem): void {
    if (this.isFull || this.#messages.has(problem.message)) return;
    this.#textLength += problem.message.length;
    this.#messages.add(problem.message);
    this.problems.push(problem);
  }

  addAll({ problems: others }: Findings): void {
    for (const problem of others) this.add(problem);
  }

  keepFirst(count: number): void {
    for (const { message } of this.problems.splice(count)) {
      this.#messages.delete(message);
      this.#textLength -= message.length;
    }
  }
}

/** Field errors about values whose members have the user's order: Go prints maps with sorted keys. */
export function invalidValue(field: string, value: JsonValue, detail: string): FieldError {
  const error = invalid(field, isCompound(value) ? null : value, detail);
  return isCompound(value) ? { ...error, body: `Invalid value: ${goJson(value)}: ${detail}` } : error;
}

export function duplicateValue(field: string, value: JsonValue): FieldError {
  const error = duplicate(field, isCompound(value) ? null : value);
  return isCompound(value) ? { ...error, body: `Duplicate value: ${goJson(value)}` } : error;
}

function notSupportedValue(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const error = notSupported(field, isCompound(value) ? null : value, supported);
  if (!isCompound(value)) return error;
  return { ...error, body: error.body.replace('Unsupported value: null', () => `Unsupported value: ${goJson(value)}`) };
}

function isCompound(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof JsonFloat);
}
