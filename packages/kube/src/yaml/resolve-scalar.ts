/** Resolves unquoted words as Go's YAML 1.1 library does: `yes` is a boolean and `017` is fifteen. */
import { JsonError } from '../json/json-error.ts';
import { numberFrom, type JsonFloat } from '../json/value.ts';
import { YamlError } from './yaml-error.ts';

type YamlScalar = null | boolean | number | bigint | string | JsonFloat;

const constantByWord: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);
const maxWordLength = 5;

const notFinitePattern = /^(?:\.(?:nan|NaN|NAN)|[+-]?\.(?:inf|Inf|INF))$/;
const floatPattern = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integerPattern = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/;

const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;

/** The most characters of a 64-bit number, which has a prefix in base two. */
const maxDigits = 66;

const tagPrefix = 'tag:yaml.org,2002:';

/** `tag` is empty for a plain word. `isPlain` is false inside quotes and in block scalars. */
export function resolveScalar(text: string, tag: string, isPlain: boolean): YamlScalar {
  const name = shortTag(tag);
  if (name === '' && !isPlain) return text;
  if (name === '!!binary') return fromBase64(text);
  if (name === '!!str' || name === '!' || !isResolvable(name)) return text;
  const value = resolveWord(text);
  if (name === '' || kindOf(value) === name || (name === '!!float' && kindOf(value) === '!!int')) return value;
  if (name === '!!timestamp') return text;
  throw new YamlError(`cannot decode ${kindOf(value)} \`${text}\` as a ${name}`);
}

/** Whether the word would be parsed as something other than a string. */
export function isSpecialWord(text: string): boolean {
  return constantByWord.has(text) || notFinitePattern.test(text) || typeof resolveWord(text) !== 'string';
}

function resolveWord(text: string): YamlScalar {
  const word = text.length <= maxWordLength ? constantByWord.get(text) : undefined;
  if (word !== undefined) return word;
  if (!mayBeNumber(text)) return text;
  if (notFinitePattern.test(text)) throw notFinite(text);
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  return integerIn(plain) ?? floatIn(plain) ?? text;
}

/** Checks the first character only: most words are no numbers. */
function mayBeNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2b || first === 0x2e;
}

function integerIn(text: string): YamlScalar | undefined {
  const match = text.length <= maxDigits ? integerPattern.exec(text) : null;
  if (match === null) return undefined;
  const [, sign, hexadecimal, octal, binary, decimal] = match;
  const size = BigInt(
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : octal !== undefined
        ? `0o${octal}`
        : binary !== undefined
          ? `0b${binary}`
          : (decimal ?? '0'),
  );
  const value = sign === '-' ? -size : size;
  return value >= minInt64 && value <= maxUint64 ? numberFrom(value.toString(), true) : undefined;
}

/** A float is printed as JSON and parsed again, so a whole one becomes an integer. */
function floatIn(text: string): YamlScalar | undefined {
  const value = floatPattern.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) return undefined;
  const printed = String(value);
  return numberFrom(printed, /^-?\d+$/.test(printed));
}

function notFinite(text: string): JsonError {
  const name = /nan/i.test(text) ? 'NaN' : text.startsWith('-') ? '-Inf' : '+Inf';
  return new JsonError(`json: unsupported value: ${name}`);
}

function kindOf(value: YamlScalar): string {
  if (value === null) return '!!null';
  if (typeof value === 'boolean') return '!!bool';
  if (typeof value === 'string') return '!!str';
  return typeof value === 'bigint' || Number.isInteger(value) ? '!!int' : '!!float';
}

function isResolvable(tag: string): boolean {
  return ['', '!!bool', '!!int', '!!float', '!!null', '!!timestamp'].includes(tag);
}

function shortTag(tag: string): string {
  const verbatim = /^!<(.*)>$/.exec(tag)?.[1] ?? tag;
  return verbatim.startsWith(tagPrefix) ? `!!${verbatim.slice(tagPrefix.length)}` : verbatim;
}

function fromBase64(text: string): string {
  const compact = text.replace(/[\r\n]/g, '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
    throw new YamlError('!!binary value contains invalid base64 data');
  }
  return Buffer.from(compact, 'base64').toString('utf8');
}
