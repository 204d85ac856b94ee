/**
 * `'%s has %d'.format([name, count])`, like version 2 of cel-go's strings extension. Numbers have American English
 * format.
 */
import { CelError, CelUint, type CelList, type CelValue, type Result } from '../../value.ts';
import { fixedDecimal, parseDouble, scientificDecimal } from '../../values/double-text.ts';
import { typeName, typeOf } from '../../values/type-of.ts';
import { endAtCostLimit, maxStringLength, countReading } from '../../values/work.ts';
import { FormatError, textOf } from './format-text.ts';

export function format(template: string, args: CelList): Result {
  try {
    return fill(template, args);
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
}

function fill(template: string, args: CelList): string {
  let text = '';
  let used = 0;
  let from = 0;
  for (let at = template.indexOf('%'); at >= 0; at = template.indexOf('%', from)) {
    text += template.slice(from, at);
    if (template[at + 1] === '%') {
      text += '%';
      from = at + 2;
      continue;
    }
    const arg = argumentAt(args, used++);
    if (at + 1 >= template.length) throw new FormatError('unexpected end of string');
    const clause = readClause(template, at + 1);
    const filled = applyClause(clause, arg);
    countReading(filled.length);
    text += filled;
    if (text.length > maxStringLength) endAtCostLimit();
    from = clause.end;
  }
  return text + template.slice(from);
}

function argumentAt(args: CelList, index: number): CelValue {
  if (index >= args.size) throw new FormatError(`index ${index} out of range`);
  const arg = args.at(index);
  if (arg instanceof CelError) throw new FormatError(arg.message);
  return arg;
}

interface Clause {
  readonly letter: string;
  readonly precision: number;
  readonly end: number;
}

const defaultPrecision = 6;
const clausePattern = /(?:\.(\d*))?([\s\S]?)/y;

function readClause(template: string, start: number): Clause {
  clausePattern.lastIndex = start;
  const [, digits, letter = ''] = clausePattern.exec(template) ?? [];
  const end = clausePattern.lastIndex;
  if (digits === undefined) return { letter, precision: defaultPrecision, end };
  if (letter === '') throw badClause('error while parsing precision: could not find end of precision specifier');
  const problem = precisionProblem(digits);
  if (problem !== undefined) {
    const reason = `error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`;
    throw badClause(`error while parsing precision: ${reason}`);
  }
  return { letter, precision: Number(digits), end };
}

function precisionProblem(digits: string): string | undefined {
  if (digits === '') return 'invalid syntax';
  return digits.length > 18 ? 'value out of range' : undefined;
}

function badClause(reason: string): FormatError {
  return new FormatError(`could not parse formatting clause: ${reason}`);
}

function applyClause({ letter, precision }: Clause, arg: CelValue): string {
  if (precision > maxStringLength) endAtCostLimit();
  const apply = clauses.get(letter);
  if (apply === undefined) throw badClause(`unrecognized formatting clause "${letter}"`);
  const text = apply(arg, precision);
  if (text === undefined) {
    throw new FormatError(`error during formatting: ${refusals.get(letter)}, was given ${typeName(typeOf(arg))}`);
  }
  return text;
}

/** Undefined if the type is not supported. */
type Apply = (arg: CelValue, precision: number) => string | undefined;

const clauses: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  ['s', textOf],
  ['d', (arg) => inBase(arg, 10)],
  ['f', (arg, precision) => fixedPoint(arg, precision)],
  ['e', (arg, precision) => scientific(arg, precision)],
  ['b', (arg) => (typeof arg === 'boolean' ? String(Number(arg)) : inBase(arg, 2))],
  ['x', hexadecimal],
  ['X', (arg) => hexadecimal(arg)?.toUpperCase()],
  ['o', (arg) => inBase(arg, 8)],
]);

const hexRefusal = 'only integers, byte buffers, and strings can be formatted as hex';
const refusals: ReadonlyMap<string, string> = new Map([
  [
    's',
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  ],
  ['d', 'decimal clause can only be used on integers'],
  ['f', 'fixed-point clause can only be used on doubles'],
  ['e', 'scientific clause can only be used on doubles'],
  ['b', 'only integers and bools can be formatted as binary'],
  ['x', hexRefusal],
  ['X', hexRefusal],
  ['o', 'octal clause can only be used on integers'],
]);

function inBase(arg: CelValue, base: number): string | undefined {
  const whole = arg instanceof CelUint ? arg.value : arg;
  return typeof whole === 'bigint' ? whole.toString(base) : undefined;
}

function hexadecimal(arg: CelValue): string | undefined {
  if (typeof arg === 'string') return Buffer.from(arg).toString('hex');
  return arg instanceof Uint8Array ? Buffer.from(arg).toString('hex') : inBase(arg, 16);
}

function fixedPoint(arg: CelValue, precision: number): string | undefined {
  const value = doubleOf(arg);
  if (value === undefined || !Number.isFinite(value)) return value === undefined ? undefined : specialText(value);
  const [whole = '', fraction] = fixedDecimal(value, precision).split('.');
  const grouped = inThousands(whole);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `-1234567` as `-1,234,567`. */
function inThousands(whole: string): string {
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length);
  const first = digits.slice(0, digits.length % 3);
  const threes = digits.slice(first.length).match(/\d{3}/g) ?? [];
  return sign + [...(first === '' ? [] : [first]), ...threes].join(',');
}

/** cel-go uses the precision as a width. */
function scientific(arg: CelValue, width: number): string | undefined {
  const value = doubleOf(arg);
  if (value === undefined) return undefined;
  if (!Number.isFinite(value)) return specialText(value).padStart(width);
  const { mantissa, exponent } = scientificDecimal(value, defaultPrecision);
  const power = `${exponent < 0 ? '-' : ''}${Math.abs(exponent).toString().padStart(2, '0')}`;
  return `${mantissa}\u00d710${superscript(power)}`.padStart(width);
}

/** A double, or a text for a value that has no literal. */
function doubleOf(arg: CelValue): number | undefined {
  if (typeof arg === 'number') return arg;
  return arg === 'NaN' || arg === 'Infinity' || arg === '-Infinity' ? parseDouble(arg) : undefined;
}

function specialText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '\u221e' : '-\u221e';
}

const superscripts: Readonly<Record<string, string>> = {
  '-': '\u207b',
  0: '\u2070',
  1: '\u00b9',
  2: '\u00b2',
  3: '\u00b3',
  4: '\u2074',
  5: '\u2075',
  6: '\u2076',
  7: '\u2077',
  8: '\u2078',
  9: '\u2079',
};

function superscript(digits: string): string {
  return Array.from(digits, (digit) => superscripts[digit]).join('');
}
