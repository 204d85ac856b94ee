import { RE2JS } from 're2js';
import type { JsonSchema } from '../json-schema.ts';
import { stringFormat, type StringFormat } from './formats/string-formats.ts';
import { problems, type Findings, type Problem } from './problem.ts';
import { typeRuleOf } from './type-rule.ts';

/** Length, pattern and format of strings. Only the first problem of length and pattern counts. */
export class StringRule {
  readonly #maxLength: number;
  readonly #minLength: number;
  readonly #patternText: string;
  readonly #pattern: TextPattern | undefined;
  readonly #formatName: string;
  readonly #format: StringFormat | undefined;

  constructor(schema: JsonSchema) {
    const { maxLength = Infinity, minLength = 0, pattern = '' } = schema;
    this.#maxLength = maxLength;
    this.#minLength = minLength;
    this.#patternText = pattern;
    this.#pattern = pattern === '' ? undefined : textPattern(pattern);
    this.#formatName = typeRuleOf(schema).format;
    this.#format = stringFormat(this.#formatName);
  }

  get hasFormat(): boolean {
    return this.#format !== undefined;
  }

  fits(text: string): boolean {
    return this.#hasFittingLength(text) && this.#pattern?.isIn(text) !== false && this.#format?.(text) !== false;
  }

  report(text: string, path: string, findings: Findings): void {
    const problem = this.#problemOf(text, path);
    if (problem !== undefined) findings.add(problem);
  }

  reportFormat(text: string, path: string, findings: Findings): void {
    if (this.#format?.(text) === false) findings.add(problems.type(path, this.#formatName, text));
  }

  #problemOf(text: string, path: string): Problem | undefined {
    const length = codePoints(text);
    if (length > this.#maxLength) return problems.tooLong(path, this.#maxLength);
    if (length < this.#minLength) return problems.should(path, text, `be at least ${this.#minLength} chars long`);
    if (this.#pattern?.isIn(text) !== false) return undefined;
    const explanation = this.#pattern.error === undefined ? '' : `, but pattern is invalid: ${this.#pattern.error}`;
    return problems.should(path, text, `match '${this.#patternText}${explanation}'`);
  }

  /** Counts code points only if the number of UTF-16 units does not decide. */
  #hasFittingLength(text: string): boolean {
    const { length } = text;
    if (length <= this.#maxLength && length / 2 >= this.#minLength) return true;
    if (length < this.#minLength || length / 2 > this.#maxLength) return false;
    const count = codePoints(text);
    return count <= this.#maxLength && count >= this.#minLength;
  }
}

/** A lone surrogate counts as one: Go reads it as the replacement character. */
function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) count -= 1;
  }
  return count;
}

/** A regular expression in Go's syntax, which takes linear time. */
interface TextPattern {
  /** Set if the pattern is invalid; it then matches nothing. */
  readonly error: string | undefined;
  readonly isIn: (text: string) => boolean;
}

/** Definitions and their versions share patterns. Long patterns are rare, and large when compiled. */
const compiled = new Map<string, TextPattern>();
const maxCompiled = 1000;
const maxCachedLength = 256;

export function textPattern(pattern: string): TextPattern {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = compile(pattern);
  if (pattern.length > maxCachedLength) return fresh;
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(pattern, fresh);
  return fresh;
}

function compile(pattern: string): TextPattern {
  let expression: RE2JS | undefined;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    return { error: (error as Error).message, isIn: () => false };
  }
  const regexp = expression;
  return { error: undefined, isIn: (text) => regexp.test(text) };
}
