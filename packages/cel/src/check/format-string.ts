import type { Call, CheckedAst, Expr } from '../ast.ts';
import type { Issue } from '../parse/source.ts';
import type { CelType } from '../type.ts';
import { typeName } from '../values/type-of.ts';

/** Checks a literal format against the types of a literal argument list. Returns undefined if it is valid. */
export function checkFormat(call: Call, ast: CheckedAst): Issue | undefined {
  const { target } = call;
  const [list] = call.args;
  if (target?.kind !== 'literal' || target.value.type !== 'string' || list?.kind !== 'list') return undefined;
  const problem = findProblem(target.value.value, list.elements, ast);
  return problem && { offset: problem.at?.offset ?? call.offset, message: problem.message };
}

interface Problem {
  readonly message: string;
  readonly at?: Expr;
}

function findProblem(format: string, args: readonly Expr[], ast: CheckedAst): Problem | undefined {
  let used = 0;
  for (let index = format.indexOf('%'); index >= 0; index = format.indexOf('%', index)) {
    if (format[index + 1] === '%') {
      index += 2;
      continue;
    }
    if (index + 1 >= format.length) return { message: 'unexpected end of string' };
    const arg = args[used];
    if (arg === undefined) return { message: `index ${used} out of range` };
    const clause = readClause(format, index + 1);
    if (typeof clause === 'string') return { message: `could not parse formatting clause: ${clause}` };
    const problem = tryClause(clause.letter, arg, ast);
    if (problem !== undefined) return { message: `error during formatting: ${problem.message}`, at: problem.at ?? arg };
    used++;
    index = clause.end;
  }
  if (args.length <= used) return undefined;
  return { message: `too many arguments supplied to string.format (expected ${used}, got ${args.length})` };
}

/** Parses what follows the percent sign: `.2f`. Returns an error message if it is invalid. */
function readClause(format: string, start: number): { letter: string; end: number } | string {
  let index = start;
  if (format[index] === '.') {
    index++;
    while (isDigit(format.charCodeAt(index))) index++;
    const digits = format.slice(start + 1, index);
    if (index >= format.length) return 'error while parsing precision: could not find end of precision specifier';
    if (digits === '' || BigInt(digits) > maxInt) return `error while parsing precision: ${badNumber(digits)}`;
  }
  const letter = format.charAt(index);
  return clauseByLetter.has(letter) ? { letter, end: index + 1 } : `unrecognized formatting clause "${letter}"`;
}

const maxInt = 2n ** 63n - 1n;

function badNumber(digits: string): string {
  const reason = digits === '' ? 'invalid syntax' : 'value out of range';
  return `error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${reason}`;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

interface Clause {
  readonly kinds: readonly CelType['kind'][];
  readonly message: string;
}

const fixed: Clause = { kinds: ['double', 'string'], message: 'fixed-point clause can only be used on doubles' };
const hex: Clause = {
  kinds: ['int', 'uint', 'string', 'bytes'],
  message: 'only integers, byte buffers, and strings can be formatted as hex',
};

const clauseByLetter: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  [
    's',
    {
      kinds: [
        'list',
        'map',
        'int',
        'uint',
        'double',
        'bool',
        'string',
        'timestamp',
        'bytes',
        'duration',
        'type',
        'null',
      ],
      message:
        'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    },
  ],
  ['d', { kinds: ['int', 'uint'], message: 'decimal clause can only be used on integers' }],
  ['f', fixed],
  ['e', { ...fixed, message: 'scientific clause can only be used on doubles' }],
  ['b', { kinds: ['int', 'uint', 'bool'], message: 'only integers and bools can be formatted as binary' }],
  ['x', hex],
  ['X', hex],
  ['o', { kinds: ['int', 'uint'], message: 'octal clause can only be used on integers' }],
]);

function tryClause(letter: string, arg: Expr, ast: CheckedAst): Problem | undefined {
  const { kinds, message } = clauseByLetter.get(letter) as Clause;
  const wrong = findWrong(arg, kinds, letter === 's', ast);
  return wrong && { message: `${message}, was given ${typeName(typeOf(wrong, ast))}`, at: wrong };
}

/** `%s` accepts lists and maps if it accepts all their elements. */
function findWrong(expr: Expr, kinds: readonly CelType['kind'][], isDeep: boolean, ast: CheckedAst): Expr | undefined {
  const { kind } = typeOf(expr, ast);
  if (kind !== 'dyn' && !kinds.includes(kind)) return expr;
  if (!isDeep || (expr.kind !== 'list' && expr.kind !== 'map')) return undefined;
  const inner = expr.kind === 'list' ? expr.elements : expr.entries.flatMap(({ key, value }) => [key, value]);
  for (const part of inner) {
    const wrong = findWrong(part, kinds, true, ast);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function typeOf(expr: Expr, ast: CheckedAst): CelType {
  return ast.types.get(expr.id) ?? { kind: 'dyn' };
}
