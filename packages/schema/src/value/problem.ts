/** What may be wrong with a value: Kubernetes' sentences, and the field errors that carry them. */
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
  /** Two problems with one sentence are one problem. */
  readonly sentence: string;
  /** Where it is; undefined for the sentences that name the place only in their text. */
  readonly path: string | undefined;
  readonly at: (field: string) => FieldError;
}

export const problems = {
  type: (path: string, expected: string, found: string): Problem => {
    const sentence = `${path} in body must be of type ${expected}: ${quote(found)}`;
    return { sentence, path, at: (field) => typeInvalid(field, found, sentence) };
  },
  required: (path: string): Problem => ({
    sentence: `${path} in body is required`,
    path,
    at: (field) => required(field),
  }),
  choice: (path: string, value: JsonValue, { list, texts }: Choices): Problem => ({
    sentence: `${path} in body should be one of ${list}`,
    path,
    at: (field) => notSupportedValue(field, value, texts),
  }),
  tooLong: (path: string, max: number): Problem => ({
    sentence: `${path} in body should be at most ${max} chars long`,
    path,
    at: (field) => tooLong(field, max),
  }),
  tooManyItems: (path: string, count: number, max: number): Problem => ({
    sentence: `${path} in body should have at most ${max} items`,
    path,
    at: (field) => tooMany(field, count, max),
  }),
  tooManyProperties: (path: string, count: number, max: number): Problem => ({
    sentence: `${path} in body should have at most ${max} properties`,
    path,
    at: (field) => tooMany(field, count, max),
  }),
  /** Everything that is said as `… in body should …`. */
  should: (path: string, value: JsonValue, rest: string): Problem => {
    const sentence = `${path} in body should ${rest}`;
    return { sentence, path, at: (field) => invalidValue(field, value, sentence) };
  },
  forbiddenProperty: (path: string, key: string): Problem => {
    const sentence = `${path}.${key} in body is a forbidden property`;
    return { sentence, path, at: (field) => invalid(field, key, sentence) };
  },
  factorNotPositive: (path: string, factor: JsonValue, text: string): Problem => {
    const sentence = `factor MultipleOf declared for ${path} must be positive: ${text}`;
    return { sentence, path, at: (field) => invalid(field, factor, sentence) };
  },
  /** Sentences without a place of their own. */
  elsewhere: (sentence: string): Problem => ({
    sentence,
    path: undefined,
    at: (field) => invalid(field, '', sentence),
  }),
} as const;

/** `prefix` is where the validated value stands in the object; nothing for the object itself. */
export function fieldErrorOf({ path = '', at }: Problem, prefix: string): FieldError {
  const name = path.startsWith('.') ? path.slice(1) : path;
  if (name === '') return at(prefix === '' ? '<nil>' : prefix);
  return at(prefix === '' ? name : `${prefix}.${name}`);
}

/** No answer lists more, nor is longer: an enum of many values that many items miss would fill the memory. */
const maxProblems = 2000;
const maxTextLength = 2 ** 22;

/** Problems in the order in which they were found, each once. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly #sentences = new Set<string>();
  #textLength = 0;

  /** Whether all that is found from here on is left out. */
  get isFull(): boolean {
    return this.#textLength > maxTextLength || this.problems.length >= maxProblems;
  }

  add(problem: Problem): void {
    if (this.isFull || this.#sentences.has(problem.sentence)) return;
    this.#textLength += problem.sentence.length;
    this.#sentences.add(problem.sentence);
    this.problems.push(problem);
  }

  addAll({ problems: others }: Findings): void {
    for (const problem of others) this.add(problem);
  }

  /** Forgets all but the first ones. */
  keepFirst(count: number): void {
    for (const { sentence } of this.problems.splice(count)) {
      this.#sentences.delete(sentence);
      this.#textLength -= sentence.length;
    }
  }
}

/** Field errors about values whose members stand in the order that a user chose: Go prints maps with sorted keys. */

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
