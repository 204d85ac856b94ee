/** CEL expressions over the claims of a token, or over the user that they make. */
import {
  bindingsLibrary,
  CelError,
  CelList,
  childrenOf,
  compile,
  createEnvironment,
  kubernetesLibraries,
  program,
  types,
  type CelType,
  type CelValue,
  type Environment,
  type Expr,
  type Program,
} from '@flotilla/cel';
import { once } from '@flotilla/kube';

export type ClaimVariable = 'claims' | 'user';

const userFields: ReadonlyMap<string, CelType> = new Map([
  ['username', types.string],
  ['uid', types.string],
  ['groups', types.list(types.string)],
  ['extra', types.map(types.string, types.list(types.string))],
]);

const variableTypes: Readonly<Record<ClaimVariable, CelType>> = {
  claims: types.map(types.string, types.dyn),
  user: types.object('kubernetes.UserInfo', (name) => userFields.get(name)),
};

/** Created for the first expression: it has hundreds of functions. */
const environments: Readonly<Record<ClaimVariable, () => Environment>> = {
  claims: once(() => environmentWith('claims')),
  user: once(() => environmentWith('user')),
};

function environmentWith(variable: ClaimVariable): Environment {
  return createEnvironment({
    libraries: [...kubernetesLibraries, bindingsLibrary],
    variables: new Map([[variable, variableTypes[variable]]]),
  });
}

/** `isRule` if the expression must be a condition. */
export function compileExpression(
  variable: ClaimVariable,
  expression: string,
  isRule: boolean,
): { readonly program: Program } | { readonly fault: string } {
  const environment = environments[variable]();
  const compiled = compile(environment, expression);
  if ('text' in compiled) return { fault: `compilation failed: ${compiled.text}` };
  if (isRule && compiled.ast.resultType.kind !== 'bool') return { fault: 'must evaluate to bool' };
  const ready = program(environment, compiled.ast);
  return ready instanceof CelError ? { fault: `program instantiation failed: ${ready.message}` } : { program: ready };
}

/** Whether an expression reads `claims.NAME` or `claims.?NAME`. False if it does not compile. */
export function usesClaim(expression: string, name: string): boolean {
  if (expression === '') return false;
  const compiled = compile(environments.claims(), expression);
  return 'ast' in compiled && reads(compiled.ast.expr, name);
}

function reads(expr: Expr, name: string): boolean {
  const isClaims = (operand: Expr | undefined): boolean => operand?.kind === 'ident' && operand.name === 'claims';
  if (expr.kind === 'select' && expr.field === name && isClaims(expr.operand)) return true;
  if (expr.kind === 'call' && expr.function === '_?._' && isClaims(expr.args[0])) {
    const [, field] = expr.args;
    if (field?.kind === 'literal' && field.value.type === 'string' && field.value.value === name) return true;
  }
  return childrenOf(expr).some((part) => reads(part, name));
}

/** Claims have at most as many bytes as headers, so that only a mistake costs more. */
const costLimit = 1_000_000;

/** Returns the value, or the sentence of the error. */
export function evaluate(
  ready: Program,
  variable: ClaimVariable,
  value: CelValue,
): { readonly value: CelValue } | { readonly fault: string } {
  const result = ready.evaluate({ [variable]: value }, { costLimit }).value;
  return result instanceof CelError ? { fault: result.message } : { value: result };
}

const notTexts = { fault: 'expression must return a string or a list of strings' };

/** Texts of an expression that returns one or several. Empty ones count as absent. */
export function textsOf(value: CelValue): { readonly texts: string[] } | { readonly fault: string } {
  if (value === null) return { texts: [] };
  if (typeof value === 'string') return { texts: value === '' ? [] : [value] };
  if (!(value instanceof CelList)) return notTexts;
  const texts: string[] = [];
  for (let at = 0; at < value.size; at++) {
    const item = value.at(at);
    if (typeof item !== 'string') return notTexts;
    if (item !== '') texts.push(item);
  }
  return { texts };
}
