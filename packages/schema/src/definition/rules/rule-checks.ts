/** Compiles the rules of a schema node when the definition is written, so that invalid rules are refused early. */
import { forbidden, internalFieldError, invalid, type FieldError } from '@flotilla/kube';
import type { JsonSchema, ValidationRule } from '../../json-schema.ts';
import { maxOccurrences } from '../../rules/cel-type.ts';
import { invalidPrinted, printRule } from '../schemas/internal-form.ts';
import { estimateRule, type EstimatedRule } from './estimate-rule.ts';
import { expressionCostProblem, cappedProduct } from './rule-cost.ts';
import type { RuleScope } from './rule-scope.ts';

/** `uncorrelatable`: the node above whose old value cannot be found. */
export function checkRules(
  schema: JsonSchema,
  path: string,
  scope: RuleScope,
  uncorrelatable: string | undefined,
  errors: FieldError[],
): void {
  const field = `${path}.x-kubernetes-validations`;
  const declaration = scope.declaration;
  if (declaration === undefined) {
    const why = 'unable to convert structural schema to CEL declarations';
    const detail = `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`;
    errors.push(internalFieldError(field, detail));
    return;
  }
  const times = scope.maxTimes ?? maxOccurrences(declaration);
  (schema['x-kubernetes-validations'] ?? []).forEach((rule, i) => {
    const estimated = estimateRule(rule, declaration);
    checkExpressions({ rule, estimated, path: `${field}[${i}]`, scope, times }, errors);
    checkOldSelf(rule, estimated, `${field}[${i}]`, uncorrelatable, errors);
  });
}

interface RuleCheck {
  readonly rule: ValidationRule;
  readonly estimated: EstimatedRule;
  readonly path: string;
  readonly scope: RuleScope;
  /** How often the rule can run for one object. */
  readonly times: number;
}

function checkExpressions({ rule, estimated, path, scope, times }: RuleCheck, errors: FieldError[]): void {
  const { error, cost, message } = estimated;
  const { total, mayCostTooMuch } = scope;
  const add = (what: 'rule' | 'messageExpression', amount: number): void => {
    const problem = mayCostTooMuch ? undefined : expressionCostProblem(what, amount);
    if (problem !== undefined) errors.push(forbidden(`${path}.${what}`, problem));
    total.add(`${path}.${what}`, amount);
  };
  add('rule', cappedProduct(cost, times));
  if (error !== undefined) errors.push(invalidPrinted(`${path}.rule`, printRule(rule), error));
  if (message?.error !== undefined) {
    errors.push(invalidPrinted(`${path}.messageExpression`, printRule(rule), message.error));
  } else if (message !== undefined) {
    add('messageExpression', message.cost);
  }
}

function checkOldSelf(
  { rule, optionalOldSelf }: ValidationRule,
  { usesOldSelf }: EstimatedRule,
  path: string,
  uncorrelatable: string | undefined,
  errors: FieldError[],
): void {
  if (!usesOldSelf) {
    if (optionalOldSelf === undefined) return;
    errors.push(invalid(`${path}.optionalOldSelf`, optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
  } else if (uncorrelatable !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(invalid(`${path}.rule`, rule, detail));
  }
}
