import type { JsonValue } from '../json/value.ts';
import {
  constant,
  exists,
  field,
  filter,
  JsonPathError,
  literal,
  recursive,
  slice,
  union,
  wildcard,
  type Comparison,
  type Step,
} from './json-path-steps.ts';

/**
 * Returns every value at a path. Throws `JsonPathError` if the path does not fit the value. A missing key yields
 * nothing.
 */
export type JsonPath = (value: JsonValue) => JsonValue[];

/**
 * Compiles paths of kubectl and printer columns: `.status.conditions[?(@.type=="Ready")].status`, without braces.
 * The dialect is client-go's.
 */
export function compileJsonPath(path: string): JsonPath {
  const steps = parseJsonPath(path);
  return (value) => {
    let values: JsonValue[] = [value];
    for (const step of steps) values = step(values);
    return values;
  };
}

/** Filters and unions contain paths, but end at the first bracket, so they do not nest. */
function parseJsonPath(path: string): Step[] {
  return new PathReader(path).steps();
}

/** Characters that end a name. */
const terminators = new Set([' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}']);

const comparisons: ReadonlySet<string> = new Set(['<', '>', '==', '!=', '<=', '>=']);

/** Parses the inside of one pair of braces. */
class PathReader {
  readonly #path: string;
  readonly #steps: Step[] = [];
  #at = 0;
  #isAfterRecursion = false;

  constructor(path: string) {
    this.#path = path;
  }

  steps(): Step[] {
    while (this.#at < this.#path.length) this.#readNext();
    return this.#steps;
  }

  #readNext(): void {
    const next = this.#path.charAt(this.#at);
    if (this.#path.startsWith('[?(', this.#at)) this.#readFilter();
    else if (this.#path.startsWith('..', this.#at)) this.#readRecursion();
    else if (next === ' ' || next === '@' || next === '$') this.#at++;
    else if (next === '[') this.#readBrackets();
    else if (next === '"' || next === "'") this.#add(literal(unquote(this.#quoted(next))));
    else if (next === '.') {
      this.#at++;
      this.#readField();
    } else if (/[+\-0-9]/.test(next)) this.#readNumber();
    else if (/[\p{L}\p{Nd}_]/u.test(next)) this.#readWord();
    else throw new JsonPathError(`unrecognized character in action: ${next}`);
  }

  #add(step: Step): void {
    this.#steps.push(step);
    this.#isAfterRecursion = false;
  }

  #readField(): void {
    const name = this.#name();
    this.#add(name === '*' ? wildcard() : field(name.replaceAll('\\', '')));
  }

  /** Reads up to a terminator without a backslash. */
  #name(): string {
    const start = this.#at;
    while (this.#at < this.#path.length && !terminators.has(this.#path.charAt(this.#at))) {
      this.#at += this.#path.charAt(this.#at) === '\\' ? 2 : 1;
    }
    this.#at = Math.min(this.#at, this.#path.length);
    return this.#path.slice(start, this.#at);
  }

  #readRecursion(): void {
    if (this.#isAfterRecursion) throw new JsonPathError('invalid multiple recursive descent');
    this.#at += 2;
    this.#add(recursive());
    this.#isAfterRecursion = true;
    if (/[\p{L}\p{Nd}_]/u.test(this.#path.charAt(this.#at))) this.#readField();
  }

  #readNumber(): void {
    const [text = ''] = /^[+-]?[\d.]*/.exec(this.#path.slice(this.#at)) ?? [];
    const value = Number(text);
    if (!/\d/.test(text) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#at += text.length;
    this.#add(constant(value));
  }

  #readWord(): void {
    const word = this.#name();
    if (word !== 'true' && word !== 'false') throw new JsonPathError(`unrecognized identifier ${word}`);
    this.#add(constant(word === 'true'));
  }

  #quoted(quote: string): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#path.length; at++) {
      const character = this.#path.charAt(at);
      if (character === '\n') break;
      if (character !== quote || this.#path.charAt(at - 1) === '\\') continue;
      this.#at = at + 1;
      return this.#path.slice(start, this.#at);
    }
    throw new JsonPathError('unterminated quoted string');
  }

  #readBrackets(): void {
    const end = this.#path.indexOf(']', this.#at);
    const inside = this.#path.slice(this.#at + 1, end);
    if (end < 0 || inside.includes('\n')) throw new JsonPathError('unterminated array');
    this.#at = end + 1;
    const parts = inside.split(',');
    if (parts.length > 1) {
      this.#add(union(parts.map((part) => parseJsonPath(`[${part.trim()}]`))));
      return;
    }
    const [, key] = /^'([^']*)'$/.exec(inside) ?? [];
    if (key === undefined) this.#add(sliceStep(inside === '*' ? ':' : inside));
    // A quoted key is parsed like one after a point, so points in it need a backslash.
    else for (const step of parseJsonPath(`.${key}`)) this.#add(step);
  }

  #readFilter(): void {
    const start = this.#at + 3;
    const end = this.#endOfFilter(start);
    const condition = this.#path.slice(start, end);
    this.#at = end + 2;
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(condition) ?? [];
    if (left === undefined || operator === undefined || right === undefined) {
      this.#add(exists(parseJsonPath(condition)));
      return;
    }
    if (!comparisons.has(operator)) throw new JsonPathError(`unrecognized filter operator ${operator}`);
    this.#add(filter(parseJsonPath(left), operator as Comparison, parseJsonPath(right)));
  }

  /** The first `)` outside the one quoted text that a filter may have. */
  #endOfFilter(start: number): number {
    let quote = '';
    let isClosed = false;
    for (let at = start; at < this.#path.length; at++) {
      const character = this.#path.charAt(at);
      if (character === '\n') break;
      if (quote === '' && (character === '"' || character === "'")) quote = character;
      else if (character === quote && this.#path.charAt(at - 1) !== '\\') isClosed = true;
      else if (character === ')' && isClosed === (quote !== '')) {
        if (this.#path.charAt(at + 1) !== ']') throw new JsonPathError('unclosed array expect ]');
        return at;
      }
    }
    throw new JsonPathError('unterminated filter');
  }
}

function sliceStep(text: string): Step {
  const parts = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (!parts) throw new JsonPathError(`invalid array index ${text}`);
  const [, first = '', second, third] = parts;
  const from = integer(first);
  if (second === undefined) return slice({ from, to: (from ?? 0) + 1, isIndex: true, step: undefined });
  return slice({ from, to: integer(second.slice(1)), isIndex: false, step: integer((third ?? '').slice(1)) });
}

function integer(text: string): number | undefined {
  if (text === '') return undefined;
  const value = Number(text);
  if (Number.isNaN(value)) throw new JsonPathError(`array index ${text} is not a number`);
  return value;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

const escape = /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|)/g;

/** The text between two quotes of either kind, with Go's escapes. */
function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(escape, (whole, simple?: string, ...codes: (string | undefined)[]) => {
    if (simple !== undefined) return simpleEscapes[simple] ?? '';
    const [x, u, long, octal] = codes;
    const hex = x ?? u ?? long;
    const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
    if (Number.isNaN(code) || code > 0x10ffff) throw new JsonPathError(`unquote string ${quoted} error invalid syntax`);
    return whole === '' ? '' : String.fromCodePoint(code);
  });
}
