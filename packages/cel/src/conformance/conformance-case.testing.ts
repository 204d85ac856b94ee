/** Runs one published case and compares the result. */
import type { CheckedAst } from '../ast.ts';
import { typeName } from '../check/type-relations.ts';
import { compile, createEnvironment, type Environment } from '../environment.ts';
import { program, type Bindings } from '../evaluate/program.ts';
import { bindingsLibrary } from '../libraries/kubernetes.ts';
import { extendedListsLibrary } from '../libraries/lists/extended-lists.ts';
import { optionalLibrary } from '../libraries/optionals.ts';
import { setsLibrary } from '../libraries/lists/sets.ts';
import { stringsLibrary } from '../libraries/text/strings.ts';
import { twoVariableLoopsLibrary } from '../libraries/lists/two-variable-loops.ts';
import { declare, type FunctionDeclaration, type Overload } from '../library.ts';
import { parse } from '../parse/parser.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, type CelValue, type Result } from '../value.ts';
import { isSameValue, typeFrom, valueFrom, type TypeJson, type ValueJson } from './conformance-value.testing.ts';

export interface ConformanceCase {
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly DeclarationJson[];
  readonly bindings?: Readonly<Record<string, { readonly value: ValueJson }>>;
  readonly value?: ValueJson;
  readonly typedResult?: { readonly result?: ValueJson; readonly deducedType?: TypeJson };
  readonly evalError?: unknown;
}

interface DeclarationJson {
  readonly name: string;
  readonly ident?: { readonly type?: TypeJson };
  readonly function?: { readonly overloads?: readonly OverloadJson[] };
}

interface OverloadJson {
  readonly overloadId: string;
  readonly isInstanceFunction?: boolean;
  readonly params?: readonly TypeJson[];
  readonly resultType?: TypeJson;
}

const libraries = [
  standardLibrary,
  optionalLibrary,
  bindingsLibrary,
  twoVariableLoopsLibrary,
  stringsLibrary,
  extendedListsLibrary,
  setsLibrary,
];

/** Why the result differs; undefined if it does not. */
export function disagreement(given: ConformanceCase): string | undefined {
  const variables = declaredVariables(given);
  if (variables === undefined) return 'a variable is a message';
  const environment = createEnvironment({
    libraries: [...libraries, { name: 'declared', functions: declaredFunctions(given) }],
    variables,
    options: { validatesLiterals: false, container: given.container ?? '' },
  });
  const ast = given.disableCheck ? parseOnly(environment, given.expr) : checked(environment, given.expr);
  if (typeof ast === 'string') return ast;
  const deduced = given.typedResult?.deducedType;
  if (deduced && !given.disableCheck) {
    const expected = typeFrom(deduced);
    if (expected === undefined) return 'the type is that of a message';
    if (typeName(expected) !== typeName(ast.resultType)) return `the type is ${typeName(ast.resultType)}`;
  }
  return given.checkOnly ? undefined : evaluationProblem(given, environment, ast);
}

function evaluationProblem(given: ConformanceCase, environment: Environment, ast: CheckedAst): string | undefined {
  const bindings = bindingsOf(given);
  if (bindings === undefined) return 'a value is a message';
  const ready = program(environment, ast);
  const actual: Result = ready instanceof CelError ? ready : ready.evaluate(bindings).value;
  if (given.evalError !== undefined) return actual instanceof CelError ? undefined : 'there is no error';
  const expected = valueFrom(given.typedResult?.result ?? given.value ?? { boolValue: true });
  if (expected === undefined) return 'the result is a message';
  if (actual instanceof CelError) return `the error ${actual.message}`;
  return isSameValue(expected, actual) ? undefined : 'the result is another';
}

function declaredVariables({ typeEnv = [] }: ConformanceCase): ReadonlyMap<string, CelType> | undefined {
  const variables = new Map<string, CelType>();
  for (const { name, ident } of typeEnv) {
    if (ident === undefined) continue;
    const type = typeFrom(ident.type);
    if (type === undefined) return undefined;
    variables.set(name, type);
  }
  return variables;
}

/** Functions that are checked, but never called. */
function declaredFunctions({ typeEnv = [] }: ConformanceCase): FunctionDeclaration[] {
  return typeEnv.flatMap(({ name, function: declared }) =>
    declared === undefined ? [] : declare(name, ...(declared.overloads ?? []).map(overloadFrom)),
  );
}

function overloadFrom({ overloadId, isInstanceFunction = false, params = [], resultType }: OverloadJson): Overload {
  return {
    id: overloadId,
    isMember: isInstanceFunction,
    parameters: params.map((param) => typeFrom(param) ?? types.dyn),
    result: typeFrom(resultType) ?? types.dyn,
  };
}

function bindingsOf({ bindings = {} }: ConformanceCase): Bindings | undefined {
  const values: Record<string, CelValue> = {};
  for (const [name, { value }] of Object.entries(bindings)) {
    const bound = valueFrom(value);
    if (bound === undefined) return undefined;
    values[name] = bound;
  }
  return values;
}

function checked(environment: Environment, expr: string): CheckedAst | string {
  const compiled = compile(environment, expr);
  return 'ast' in compiled ? compiled.ast : compiled.text;
}

/** Overloads are then chosen by run-time types. */
function parseOnly(environment: Environment, expr: string): CheckedAst | string {
  const parsed = parse(expr, environment.syntax);
  if ('issues' in parsed) return parsed.issues.map(({ message }) => message).join('; ');
  return { ...parsed.ast, types: new Map(), references: new Map(), resultType: types.dyn };
}
