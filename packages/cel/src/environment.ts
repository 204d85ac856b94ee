/** The functions, macros and variables that expressions may use. */
import type { CheckedAst, Source } from './ast.ts';
import { check, type Declarations, type FindStruct } from './check/checker.ts';
import { validate } from './check/validators.ts';
import { declareFunctions, declareVariables } from './declarations.ts';
import type { Library } from './library.ts';
import { createMacroTable } from './parse/macro-table.ts';
import { parse, type ParseOptions } from './parse/parser.ts';
import { createSource, renderIssues, type Issue } from './parse/source.ts';
import type { CelType } from './type.ts';

export interface Environment {
  readonly declarations: Declarations;
  readonly syntax: ParseOptions;
  readonly validatesLiterals: boolean;
}

export interface EnvironmentParts {
  /** Later libraries may replace declarations of earlier ones. */
  readonly libraries: readonly Library[];
  readonly variables?: ReadonlyMap<string, CelType>;
  /** Types that expressions may name and create, by full name. */
  readonly structs?: FindStruct;
  readonly options?: EnvironmentOptions;
}

/** Defaults are those of Kubernetes. */
export interface EnvironmentOptions {
  /** Whether to allow `a.?b`, `a[?b]`, `[?a]` and `{?a: b}`. */
  readonly optionalSyntax?: boolean;
  /**
   * Whether to refuse literals that always fail, such as invalid durations and patterns, and literals of mixed
   * types.
   */
  readonly validatesLiterals?: boolean;
  /** The prefix that names may omit. */
  readonly container?: string;
}

export function createEnvironment({ libraries, variables, structs, options = {} }: EnvironmentParts): Environment {
  const { optionalSyntax = true, validatesLiterals = true, container = '' } = options;
  return {
    declarations: {
      functions: declareFunctions(libraries),
      constants: declareVariables(libraries),
      variables: variables ?? new Map(),
      ...(structs && { structs }),
      container,
    },
    syntax: { macros: createMacroTable(libraries.flatMap(({ macros }) => macros ?? [])), optionalSyntax },
    validatesLiterals,
  };
}

/** Adds variables. Shares everything else, so that each rule can have its own environment. */
export function extend(environment: Environment, variables: ReadonlyMap<string, CelType>): Environment {
  const { declarations } = environment;
  const all = declarations.variables.size === 0 ? variables : new Map([...declarations.variables, ...variables]);
  return { ...environment, declarations: { ...declarations, variables: all } };
}

export type Compiled = { readonly ast: CheckedAst } | CompileFailure;

export interface CompileFailure {
  readonly issues: readonly Issue[];
  /** All issues, each with its position in the source. */
  readonly text: string;
}

export function compile(environment: Environment, text: string): Compiled {
  const parsed = parse(text, environment.syntax);
  if ('issues' in parsed) return failure(createSource(text), parsed.issues);
  const checked = check(parsed.ast, environment.declarations);
  if ('issues' in checked) return failure(parsed.ast.source, checked.issues);
  const issues = environment.validatesLiterals ? validate(checked.ast, environment.declarations.functions) : [];
  return issues.length > 0 ? failure(parsed.ast.source, issues) : checked;
}

function failure(source: Source, issues: readonly Issue[]): CompileFailure {
  return { issues, text: renderIssues(source, issues) };
}
