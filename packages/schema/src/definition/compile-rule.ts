import {
  compile,
  createEnvironment,
  estimateCost,
  extend,
  kubernetesLibraries,
  types,
  type CelType,
  type CheckedAst,
  type Environment,
} from '@flotilla/cel';
import type { ValidationRule } from '../json-schema.ts';
import { sizesIn, type CelDeclaration } from '../rules/cel-type.ts';

/** What is known of a rule without an object. */
export interface CheckedRule {
  readonly error?: string;
  readonly usesOldSelf: boolean;
  /** The most that one evaluation may cost. */
  readonly cost: number;
  readonly message?: { readonly error?: string; readonly cost: number };
}

const ENVIRONMENT = createEnvironment({ libraries: kubernetesLibraries });

/** The message is looked at only if the rule itself is fine. */
export function compileRule(rule: ValidationRule, declaration: CelDeclaration): CheckedRule {
  const environment = environmentFor(rule, declaration.type);
  const compiled = compile(environment, rule.rule);
  if ('text' in compiled) return unusable(`compilation failed: ${compiled.text}`);
  const { ast } = compiled;
  if (ast.resultType.kind !== 'bool') return unusable('cel expression must evaluate to a bool');
  const sizeOf = sizesIn(declaration);
  return {
    usesOldSelf: refersTo('oldSelf', ast),
    cost: estimateCost(environment, ast, sizeOf).max,
    ...messageOf(rule, environment, (message) => estimateCost(environment, message, sizeOf).max),
  };
}

function environmentFor({ optionalOldSelf }: ValidationRule, self: CelType): Environment {
  const oldSelf = optionalOldSelf === true ? types.optional(self) : self;
  return extend(
    ENVIRONMENT,
    new Map<string, CelType>([
      ['self', self],
      ['oldSelf', oldSelf],
    ]),
  );
}

function messageOf(
  { messageExpression = '' }: ValidationRule,
  environment: Environment,
  costOf: (ast: CheckedAst) => number,
): Pick<CheckedRule, 'message'> {
  if (messageExpression === '') return {};
  const compiled = compile(environment, messageExpression);
  if ('text' in compiled)
    return { message: { error: `messageExpression compilation failed: ${compiled.text}`, cost: 0 } };
  if (compiled.ast.resultType.kind !== 'string') {
    return { message: { error: 'messageExpression must evaluate to a string', cost: 0 } };
  }
  return { message: { cost: costOf(compiled.ast) } };
}

function unusable(error: string): CheckedRule {
  return { error, usesOldSelf: false, cost: 0 };
}

function refersTo(name: string, { references }: CheckedAst): boolean {
  for (const reference of references.values()) if (reference.name === name) return true;
  return false;
}
