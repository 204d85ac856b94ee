import { CelError, compile, estimateCost, program, type CheckedAst, type Environment } from '@flotilla/cel';
import type { ValidationRule } from '../../json-schema.ts';
import { sizesIn, type CelDeclaration } from '../../rules/cel-type.ts';
import { ruleEnvironment, usesOldSelf } from '../../rules/compiled-rule.ts';

/** What is known about a rule without an object. */
export interface EstimatedRule {
  readonly error?: string;
  readonly usesOldSelf: boolean;
  /** The maximum cost of one evaluation. */
  readonly cost: number;
  readonly message?: EstimatedMessage;
}

interface EstimatedMessage {
  readonly error?: string;
  readonly cost: number;
}

/** Checks the message only if the rule is valid. */
export function estimateRule(rule: ValidationRule, declaration: CelDeclaration): EstimatedRule {
  const environment = ruleEnvironment(rule, declaration.type);
  const compiled = compileTo('bool', rule.rule, environment);
  if ('error' in compiled) return { error: inRule[compiled.error](compiled.text), usesOldSelf: false, cost: 0 };
  const sizeOf = sizesIn(declaration);
  const costOf = (ast: CheckedAst): number => estimateCost(environment, ast, sizeOf).max;
  const { messageExpression = '' } = rule;
  return {
    usesOldSelf: usesOldSelf(compiled.ast),
    cost: costOf(compiled.ast),
    ...(messageExpression !== '' && { message: estimateMessage(messageExpression, environment, costOf) }),
  };
}

function estimateMessage(
  expression: string,
  environment: Environment,
  costOf: (ast: CheckedAst) => number,
): EstimatedMessage {
  const compiled = compileTo('string', expression, environment);
  if ('error' in compiled) return { error: inMessage[compiled.error](compiled.text), cost: 0 };
  return { cost: costOf(compiled.ast) };
}

type Failure = 'compilation' | 'type' | 'program';

function compileTo(
  kind: 'bool' | 'string',
  expression: string,
  environment: Environment,
): { readonly ast: CheckedAst } | { readonly error: Failure; readonly text: string } {
  const compiled = compile(environment, expression);
  if ('text' in compiled) return { error: 'compilation', text: compiled.text };
  const { ast } = compiled;
  if (ast.resultType.kind !== kind) return { error: 'type', text: '' };
  const ready = program(environment, ast);
  return ready instanceof CelError ? { error: 'program', text: ready.message } : { ast };
}

const inRule: Readonly<Record<Failure, (text: string) => string>> = {
  compilation: (text) => `compilation failed: ${text}`,
  type: () => 'cel expression must evaluate to a bool',
  program: (text) => `program instantiation failed: ${text}`,
};

const inMessage: Readonly<Record<Failure, (text: string) => string>> = {
  compilation: (text) => `messageExpression compilation failed: ${text}`,
  type: () => 'messageExpression must evaluate to a string',
  program: (text) => `messageExpression instantiation failed: ${text}`,
};
