import { goJson } from '../json/go-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { isJsonObject, JsonFloat, SpelledNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { compareYamlKeys } from './key-order.ts';
import { isSpecialWord } from './resolve-scalar.ts';

const indentWidth = 2;

/** Lines break at the first space after this column. */
const lineWidth = 80;

/** Longer keys get a line of their own. */
const maxSimpleKeyBytes = 128;

/** Deeper values are printed as JSON, which is YAML too: their indentation would fill the memory. */
const maxBlockDepth = 100;

/** Prints a value as Kubernetes does for `application/yaml`. `outerDepth` is the depth of the value in a larger one. */
export function printYaml(value: JsonValue, outerDepth = 0): string {
  const printer = new YamlPrinter(outerDepth);
  printer.root(value);
  return printer.text();
}

class YamlPrinter {
  readonly #pieces: string[] = [];
  #column = 0;
  #depth: number;

  constructor(outerDepth: number) {
    this.#depth = outerDepth;
  }

  text(): string {
    return this.#pieces.join('');
  }

  root(value: JsonValue): void {
    if (isBlock(value)) this.#block(value, 0);
    else this.#scalar(value, 0);
    this.#newLine();
  }

  /** A mapping or sequence that starts in the current line. */
  #block(value: JsonValue[] | JsonObject, indent: number): void {
    this.#depth++;
    if (this.#depth > maxBlockDepth) this.#write(goJson(value));
    else if (Array.isArray(value)) this.#sequence(value, indent);
    else this.#mapping(value, indent);
    this.#depth--;
  }

  #sequence(items: readonly JsonValue[], indent: number): void {
    for (const [i, item] of items.entries()) {
      if (i > 0) this.#newLine(indent);
      this.#write('-');
      this.#inline(item, indent);
    }
  }

  #mapping(object: JsonObject, indent: number): void {
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    for (const [i, key] of keys.sort(compareYamlKeys).entries()) {
      if (i > 0) this.#newLine(indent);
      this.#member(key, object[key] ?? null, indent);
    }
  }

  #member(key: string, value: JsonValue, indent: number): void {
    if (!isSimpleKey(key)) {
      this.#write('? ');
      this.#string(key, indent, scalarStyleOf(key, false) === 'literal');
      this.#newLine(indent);
      this.#write(':');
      this.#inline(value, indent);
      return;
    }
    this.#string(key, indent, true);
    this.#write(':');
    if (!isBlock(value)) {
      this.#write(' ');
      this.#scalar(value, indent);
    } else {
      // A sequence has the indentation of its key.
      const inner = Array.isArray(value) ? indent : indent + indentWidth;
      this.#newLine(inner);
      this.#block(value, inner);
    }
  }

  /** After `-`, or after the colon of a long key, a block continues in the same line. */
  #inline(value: JsonValue, indent: number): void {
    this.#write(' ');
    if (isBlock(value)) this.#block(value, indent + indentWidth);
    else this.#scalar(value, indent);
  }

  #scalar(value: JsonValue, indent: number): void {
    if (typeof value === 'string') this.#string(value, indent, false);
    else this.#write(scalarText(value));
  }

  #string(text: string, indent: number, isKey: boolean): void {
    switch (scalarStyleOf(text, isKey)) {
      case 'plain':
        this.#folded(text, indent, isKey, (piece) => piece);
        break;
      case 'single':
        this.#write("'");
        this.#folded(text, indent, isKey, (piece) => piece.replaceAll("'", "''"));
        this.#write("'");
        break;
      case 'double':
        this.#write('"');
        this.#folded(text, indent, isKey, escaped);
        this.#write('"');
        break;
      case 'literal':
        this.#literal(text, indent + indentWidth);
        break;
    }
  }

  /** Replaces single spaces beyond the line width with line breaks. */
  #folded(text: string, indent: number, isKey: boolean, spell: (piece: string) => string): void {
    for (const piece of text.split(/(?<! )( )(?! )/)) {
      const mayBreak = piece === ' ' && !isKey && this.#column > lineWidth;
      if (mayBreak) this.#newLine(indent + indentWidth);
      else this.#write(spell(piece));
    }
  }

  #literal(text: string, indent: number): void {
    const hint = /^[ \n]/.test(text) ? String(indentWidth) : '';
    const ending = text.endsWith('\n') ? (/(?:^|\n)\n$/.test(text) ? '+' : '') : '-';
    this.#write(`|${hint}${ending}`);
    const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
    for (const line of lines) {
      this.#newLine(line === '' ? 0 : indent);
      this.#write(line);
    }
  }

  #write(text: string): void {
    this.#pieces.push(text);
    this.#column += text.length;
  }

  #newLine(indent = 0): void {
    this.#pieces.push('\n', ' '.repeat(indent));
    this.#column = indent;
  }
}

/** Empty collections are printed like scalars. */
function isBlock(value: JsonValue): value is JsonValue[] | JsonObject {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).some((key) => value[key] !== undefined);
}

function isSimpleKey(key: string): boolean {
  return !key.includes('\n') && Buffer.byteLength(key) <= maxSimpleKeyBytes;
}

function scalarText(value: JsonValue): string {
  if (value instanceof SpelledNumber) return spelledText(value);
  if (value instanceof JsonFloat) return floatText(value.value);
  if (typeof value === 'number' && !Number.isInteger(value)) return floatText(value);
  return stringifyJson(value);
}

/** Go's YAML parses the text again: as an integer if it is one of a uint64. */
function spelledText({ value, literal }: SpelledNumber): string {
  if (/^\d{1,20}$/.test(literal) && BigInt(literal) < 2n ** 64n) return literal;
  if (Object.is(value, -0)) return '-0';
  return value >= 2 ** 63 ? exponentialText(value) : floatText(value);
}

/** Go's `%g`: an exponent from 1e6 on and below 1e-4. YAML parses a uint64 as an integer. */
function floatText(value: number): string {
  if (Number.isSafeInteger(value) || (value >= 2 ** 63 && value < 2 ** 64)) return String(value);
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e6 ? String(value) : exponentialText(value);
}

function exponentialText(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const size = Number(exponent);
  return `${digits}e${size < 0 ? '-' : '+'}${String(Math.abs(size)).padStart(2, '0')}`;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

const unprintablePattern = /["\\\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]|[\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(unprintablePattern, (character) => shortEscapes.get(character) ?? hexadecimal(character));
}

function hexadecimal(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (digits.length <= 2) return `\\x${digits.padStart(2, '0')}`;
  return digits.length <= 4 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

const base60Pattern = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Looks like a time, which Go's library reads as text, but quotes. */
const timestampPattern = /^\d{4}-\d\d?-\d\d?(?:[Tt ]|$)/;

const forbiddenStart = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$))/;
const forbiddenInside = /:(?:[ \t]|$)|[ \t\r\n]#/;

/** Everything else is escaped: tabs, control characters, and code points beyond the basic plane. */
const allPrintable = /^[\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;

function scalarStyleOf(text: string, isKey: boolean): ScalarStyle {
  const isMultiline = text.includes('\n');
  if (!allPrintable.test(text) || / \n/.test(text)) return 'double';
  if (isMultiline) return isKey || text.endsWith(' ') ? 'double' : 'literal';
  // Go's library does not quote a key that means a merge.
  if (isKey && text === '<<') return 'double';
  if (isSpecialWord(text) || base60Pattern.test(text) || timestampPattern.test(text)) return 'double';
  const isPlain = !forbiddenStart.test(text) && !forbiddenInside.test(text) && !/^ | $/.test(text);
  return isPlain ? 'plain' : 'single';
}
