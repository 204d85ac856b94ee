/**
 * Parses untrusted JSON. Numbers keep what Go distinguishes, duplicate keys are reported, and errors have Go's
 * messages. One pass costs less than `JSON.parse` and a check for losses. Iterative, because ten thousand levels are
 * legal and would overflow the stack.
 */
import { JsonError, unexpectedEnd, unexpectedIn } from './json-error.ts';
import { setOwn } from './untrusted.ts';
import {
  numberFrom,
  spelledNumberFrom,
  unboundedNumberFrom,
  type JsonObject,
  type JsonValue,
  type NumberReader,
} from './value.ts';

/** The limit of Go's decoder. */
export const maxJsonDepth = 10_000;

/** The limit of strict errors in Kubernetes. */
const maxDuplicates = 100;

/** The path of a duplicate costs time in proportion to its depth. Hostile texts repeat many keys. */
const maxDuplicatesNamed = 1_000;

interface ParsedJson {
  readonly value: JsonValue;
  /** Paths of duplicate keys (`spec.ports[0].name`), in the order of the text. The last value counts. */
  readonly duplicates: readonly string[];
}

/** Throws a JsonError. */
export function parseJson(text: string): ParsedJson {
  return new JsonParser(text.toWellFormed(), numberFrom).parse();
}

/** Like `parseJson`, but numbers that would be printed otherwise keep their text. */
export function parseSpelledJson(text: string): ParsedJson {
  return new JsonParser(text.toWellFormed(), spelledNumberFrom).parse();
}

/** Like `parseSpelledJson`, and no number is too large: the reader of the value decides. */
export function parseUnboundedJson(text: string): ParsedJson {
  return new JsonParser(text.toWellFormed(), unboundedNumberFrom).parse();
}

interface OpenArray {
  readonly items: JsonValue[];
}

interface OpenObject {
  readonly members: JsonObject;
  key: string;
}

type OpenContainer = OpenArray | OpenObject;

/** A container was opened; its first value comes next. */
const openedContainer = Symbol('opened');

const enclosed = {
  ']': 'after array element',
  '}': 'after object key:value pair',
} as const;

class JsonParser {
  readonly #text: string;
  readonly #numberFrom: NumberReader;
  #at = 0;
  readonly #open: OpenContainer[] = [];
  readonly #duplicates = new Set<string>();
  #duplicatesNamed = 0;

  constructor(text: string, number: NumberReader) {
    this.#text = text;
    this.#numberFrom = number;
  }

  parse(): ParsedJson {
    for (;;) {
      const value = this.#beginValue();
      if (value === openedContainer) continue;
      const root = this.#endValue(value);
      if (root !== undefined) return { value: this.#endOfText(root), duplicates: [...this.#duplicates] };
    }
  }

  #beginValue(): JsonValue | typeof openedContainer {
    switch (this.#skipSpace()) {
      case '{':
        return this.#openObject();
      case '[':
        return this.#openArray();
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  /**
   * Adds a value to its container, and closes every container that ends here. Returns the outermost value if it is
   * complete.
   */
  #endValue(value: JsonValue): JsonValue | undefined {
    let done = value;
    for (;;) {
      const container = this.#open.at(-1);
      if (container === undefined) return done;
      const isArray = 'items' in container;
      if (isArray) container.items.push(done);
      else this.#addMember(container, done);
      const closing = isArray ? ']' : '}';
      const next = this.#skipSpace();
      if (next === ',') {
        this.#at++;
        if (!isArray) this.#readKey(container);
        return undefined;
      }
      if (next !== closing) throw this.#unexpected(enclosed[closing]);
      this.#at++;
      this.#open.pop();
      done = isArray ? container.items : container.members;
    }
  }

  #endOfText(root: JsonValue): JsonValue {
    if (this.#skipSpace() !== '') throw this.#unexpected('after top-level value');
    return root;
  }

  #openArray(): JsonValue | typeof openedContainer {
    const items: JsonValue[] = [];
    this.#push({ items });
    if (this.#skipSpace() !== ']') return openedContainer;
    this.#at++;
    this.#open.pop();
    return items;
  }

  #openObject(): JsonValue | typeof openedContainer {
    const container: OpenObject = { members: {}, key: '' };
    this.#push(container);
    if (this.#skipSpace() !== '}') {
      this.#readKey(container);
      return openedContainer;
    }
    this.#at++;
    this.#open.pop();
    return container.members;
  }

  #push(container: OpenContainer): void {
    if (this.#open.length >= maxJsonDepth) throw this.#unexpected('exceeded max depth');
    this.#open.push(container);
    this.#at++;
  }

  #readKey(container: OpenObject): void {
    if (this.#skipSpace() !== '"') throw this.#unexpected('looking for beginning of object key string');
    container.key = this.#string();
    if (this.#skipSpace() !== ':') throw this.#unexpected('after object key');
    this.#at++;
    if (!Object.hasOwn(container.members, container.key)) return;
    // The last value counts, and its position too.
    delete container.members[container.key];
    this.#reportDuplicate();
  }

  #addMember({ members, key }: OpenObject, value: JsonValue): void {
    setOwn(members, key, value);
  }

  #reportDuplicate(): void {
    if (this.#duplicates.size >= maxDuplicates || this.#duplicatesNamed >= maxDuplicatesNamed) return;
    this.#duplicatesNamed++;
    this.#duplicates.add(pathOf(this.#open));
  }

  /** Reads a string whose first quote is the next character. */
  #string(): string {
    const start = this.#at;
    let hasEscapes = false;
    this.#at++;
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === 0x22) break;
      if (unit === 0x5c) {
        hasEscapes = true;
        this.#skipEscape();
      } else if (unit >= 0x20) {
        this.#at++;
      } else {
        throw this.#unexpected('in string literal');
      }
    }
    this.#at++;
    if (!hasEscapes) return this.#text.slice(start + 1, this.#at - 1);
    // An escape may encode half of a surrogate pair, which Go reads as the replacement character.
    return (JSON.parse(this.#text.slice(start, this.#at)) as string).toWellFormed();
  }

  #skipEscape(): void {
    this.#at++;
    const letter = this.#text.charAt(this.#at);
    if (letter === '' || !'bfnrt\\/"u'.includes(letter)) throw this.#unexpectedInToken('in string escape code');
    this.#at++;
    if (letter !== 'u') return;
    for (let digits = 0; digits < 4; digits++) {
      if (!isHexDigit(this.#text.charCodeAt(this.#at))) {
        throw this.#unexpectedInToken('in \\u hexadecimal character escape');
      }
      this.#at++;
    }
  }

  #literal(word: string, value: boolean | null): boolean | null {
    for (const letter of word) {
      if (this.#text.charAt(this.#at) !== letter) {
        throw this.#unexpectedInToken(`in literal ${word} (expecting '${letter}')`);
      }
      this.#at++;
    }
    return value;
  }

  #number(): JsonValue {
    const start = this.#at;
    const isNegative = this.#text.charAt(this.#at) === '-';
    if (isNegative) this.#at++;
    else if (!this.#isAtDigit()) throw this.#unexpected('looking for beginning of value');
    if (this.#text.charAt(this.#at) === '0') this.#at++;
    else this.#skipDigits('in numeric literal');
    const isInteger = !this.#skipFraction() && !this.#isAtExponent();
    if (this.#isAtExponent()) this.#skipExponent();
    return this.#numberFrom(this.#text.slice(start, this.#at), isInteger);
  }

  #skipFraction(): boolean {
    if (this.#text.charAt(this.#at) !== '.') return false;
    this.#at++;
    this.#skipDigits('after decimal point in numeric literal');
    return true;
  }

  #skipExponent(): void {
    this.#at++;
    const sign = this.#text.charAt(this.#at);
    if (sign === '+' || sign === '-') this.#at++;
    this.#skipDigits('in exponent of numeric literal');
  }

  #isAtExponent(): boolean {
    const letter = this.#text.charAt(this.#at);
    return letter === 'e' || letter === 'E';
  }

  #skipDigits(context: string): void {
    if (!this.#isAtDigit()) throw this.#unexpectedInToken(context);
    while (this.#isAtDigit()) this.#at++;
  }

  #isAtDigit(): boolean {
    const unit = this.#text.charCodeAt(this.#at);
    return unit >= 0x30 && unit <= 0x39;
  }

  /** Skips white space. Returns the next character, or '' at the end. */
  #skipSpace(): string {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return this.#text.charAt(this.#at);
      this.#at++;
    }
  }

  #unexpected(context: string): JsonError {
    return this.#at >= this.#text.length ? unexpectedEnd() : unexpectedIn(this.#text, this.#at, context);
  }

  /** Go appends a space to the text, so an unfinished word or number fails at that space. */
  #unexpectedInToken(context: string): JsonError {
    return this.#at >= this.#text.length ? unexpectedIn(' ', 0, context) : unexpectedIn(this.#text, this.#at, context);
  }
}

function pathOf(open: readonly OpenContainer[]): string {
  let path = '';
  for (const container of open) {
    if ('items' in container) path += `[${container.items.length}]`;
    else path += path === '' ? container.key : `.${container.key}`;
  }
  return path;
}

function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);
}

/**
 * More digits than a double can hold, or a spelling that the engine would not print. `JSON.parse` would lose both.
 * The latter occurs where a user's text was kept. The character after a number tells it from a digest in a string, as in
 * `nginx@sha256:4e13…`.
 */
const numberNeedingExactParser =
  /[[:,]-?(?:\d[\d.]{15}[\d.eE+-]*[,\]}\s]|\d+(?:\.\d*)?[eE][+-]?\d+[,\]}\s]|\d+\.(?:000000\d*|\d*0)[,\]}]|(?<=-)0[,\]}])/;

/**
 * The fast parser for texts that `stringifyJson` printed: they have no duplicate keys and are not too deep. Returns
 * the same as `parseSpelledJson`.
 */
export function parseStoredJson(text: string): JsonValue {
  return isUsual(text) ? (JSON.parse(text) as JsonValue) : parseSpelledJson(text).value;
}

/**
 * The same for the body of a request. It may hold values of users, and only the exact parsers replace broken surrogates, so a text
 * with such escapes, or with unusual numbers, is left to `exact`. The strings of the result are no slices of the text.
 */
export function parsePrintedJson(text: string, exact: (text: string) => ParsedJson): ParsedJson {
  if (text.includes('\\u') || !isUsual(text)) return exact(text);
  return { value: JSON.parse(text) as JsonValue, duplicates: [] };
}

function isUsual(text: string): boolean {
  // A number that is the whole text has no character before it. Searching for that too would halve the speed.
  const isContainer = text.startsWith('{') || text.startsWith('[');
  return isContainer && !numberNeedingExactParser.test(text);
}
