import {
  CelError,
  compile,
  declaredName,
  isSameType,
  program,
  type CelType,
  type Environment,
  type Program,
} from '@flotilla/cel';
import type { ExpressionFault } from '@flotilla/builtins';

/** An expression of a policy, ready to run unless it is faulty. */
export interface CompiledExpression {
  readonly text: string;
  readonly program?: Program;
  /** Undefined if it does not compile. */
  readonly type?: CelType;
  readonly fault?: ExpressionFault;
}

/** `results`: the types that the expression may return; undefined: any. */
export function compileExpression(
  environment: Environment,
  text: string,
  results: readonly CelType[] | undefined,
): CompiledExpression {
  const compiled = compile(environment, text);
  if ('text' in compiled) return faulty(text, 'invalid', `compilation failed: ${compiled.text}`);
  const { ast } = compiled;
  const type = ast.resultType;
  if (results && !results.some((result) => isSameType(result, type))) {
    return faulty(text, 'invalid', wrongType(results, type));
  }
  const ready = program(environment, ast);
  if (ready instanceof CelError) return faulty(text, 'internal', `program instantiation failed: ${ready.message}`);
  return { text, program: ready, type };
}

function faulty(text: string, kind: ExpressionFault['kind'], detail: string): CompiledExpression {
  return { text, fault: { kind, detail } };
}

function wrongType(results: readonly CelType[], type: CelType): string {
  const names = results.map(declaredName);
  const expected = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return `must evaluate to ${expected} but got ${declaredName(type)}`;
}
