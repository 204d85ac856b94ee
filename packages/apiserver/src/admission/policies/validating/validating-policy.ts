import { once, type KubeObject } from '@flotilla/kube';
import type { MatchConditions } from '../../matching/match-conditions.ts';
import type { MatchCriteria } from '../../matching/match-criteria.ts';
import type { Policy } from '../active-policies.ts';
import type { CompiledExpression } from '../compile-expression.ts';
import { PolicyCompiler } from '../policy-compiler.ts';
import { criteriaOf, matchConditionsOf, specOf, type PolicySpec } from '../policy-fields.ts';

interface ValidatingSpec extends PolicySpec {
  readonly validations?: readonly ValidationFields[];
  readonly auditAnnotations?: readonly { readonly key?: string; readonly valueExpression?: string }[];
}

interface ValidationFields {
  readonly expression?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface Validation {
  readonly check: CompiledExpression;
  readonly messageExpression: CompiledExpression | undefined;
  /** What a refusal says if there is no message expression, or if it fails. */
  readonly message: string;
  readonly reason: string;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly value: CompiledExpression;
}

export interface CompiledValidation {
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly validations: readonly Validation[];
  readonly hasMessageExpressions: boolean;
  readonly annotations: readonly AuditAnnotation[];
}

export class ValidatingPolicy implements Policy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly criteria: MatchCriteria;
  readonly conditions: MatchConditions;
  /** Compiled for the first request that needs it. */
  readonly compiled: () => CompiledValidation;

  constructor(object: KubeObject) {
    const spec = specOf(object) as ValidatingSpec;
    this.name = object.metadata.name ?? '';
    this.spec = spec;
    this.criteria = criteriaOf(spec.matchConstraints ?? {});
    this.conditions = matchConditionsOf(spec);
    this.compiled = once(() => compileValidation(spec));
  }
}

function compileValidation(spec: ValidatingSpec): CompiledValidation {
  const { validations = [], auditAnnotations = [], variables = [], paramKind } = spec;
  const compiler = new PolicyCompiler({ hasParams: paramKind !== undefined, hasVariables: true });
  for (const { name = '', expression = '' } of variables) compiler.addVariable(name, expression);
  const compiled = validations.map((validation) => compileOne(compiler, validation));
  return {
    variables: compiler.variables,
    validations: compiled,
    hasMessageExpressions: compiled.some(({ messageExpression }) => messageExpression !== undefined),
    annotations: auditAnnotations.map(({ key = '', valueExpression = '' }) => ({
      key,
      value: compiler.compile('auditAnnotation', valueExpression),
    })),
  };
}

function compileOne(compiler: PolicyCompiler, validation: ValidationFields): Validation {
  const { expression = '', message = '', messageExpression = '', reason = 'Invalid' } = validation;
  return {
    check: compiler.compile('validation', expression),
    messageExpression: messageExpression === '' ? undefined : compiler.compile('messageExpression', messageExpression),
    message: message.trim() || `failed expression: ${expression.trim()}`,
    reason,
  };
}
