import {
  admissionEnvironment,
  CelError,
  compile,
  program,
  typeName,
  type Bindings,
  type Environment,
  type Program,
} from '@flotilla/cel';
import { aggregate } from '@flotilla/kube';
import type { CostAllowance } from '../../resources/cost-allowance.ts';
import type { AdmissionObserver } from '../metrics/admission-observer.ts';
import type { EvaluatedConditions } from '../metrics/condition-metrics.ts';
import { asBindings, type AdmissionBindings } from './admission-bindings.ts';

export interface MatchCondition {
  readonly name?: string;
  readonly expression?: string;
}

export type ConditionsOutcome =
  | { readonly isMatch: true }
  /** The condition that is false; absent if an error counts as no match. `failed`: how many could not be evaluated. */
  | { readonly isMatch: false; readonly condition?: string; readonly failed: number }
  | { readonly error: string; readonly failed: number };

interface CompiledCondition {
  readonly name: string;
  readonly expression: string;
  readonly program: Program | string;
}

/** The limits of Kubernetes: of one expression, and of all conditions of a webhook or policy for one request. */
const callCostLimit = 1_000_000;
const costBudget = 2_500_000;

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

function webhookEnvironment(): Environment {
  return admissionEnvironment({ hasParams: false, hasAuthorizer: true });
}

const isMatch: ConditionsOutcome = { isMatch: true };

/** The CEL conditions of a webhook or a policy. Compiled when the first request needs them. */
export class MatchConditions {
  readonly #conditions: readonly MatchCondition[];
  readonly #failsOnError: boolean;
  readonly #environment: () => Environment;
  #compiled: readonly CompiledCondition[] | undefined;

  /** `failurePolicy`: whether a request that a condition fails on is refused (`Fail`) or does not match (`Ignore`). */
  constructor(
    conditions: readonly MatchCondition[],
    failurePolicy: string | undefined,
    environment: () => Environment = webhookEnvironment,
  ) {
    this.#conditions = conditions;
    this.#failsOnError = failurePolicy !== 'Ignore';
    this.#environment = environment;
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** All conditions must be true. One that is false excludes the request, even if others fail. */
  evaluate(bindings: AdmissionBindings | Bindings, costs: CostAllowance): ConditionsOutcome {
    const errors: string[] = [];
    const values = bindings as AdmissionBindings;
    let budget = costBudget;
    this.#compiled ??= this.#conditions.map((condition) => compiled(condition, this.#environment()));
    for (const { name, expression, program: ready } of this.#compiled) {
      if (typeof ready === 'string') {
        errors.push(`compilation error: ${ready}`);
        continue;
      }
      const { value, cost } = costs.evaluate(ready, asBindings(values), callCostLimit);
      if (cost > budget) return this.#failed(outOfBudget, errors.length);
      budget -= cost;
      if (value instanceof CelError) errors.push(`expression '${expression}' resulted in error: ${value.message}`);
      else if (value === false) return { isMatch: false, condition: name, failed: errors.length };
    }
    return errors.length === 0 ? isMatch : this.#failed(aggregate(errors), errors.length);
  }

  /** Also counts an evaluation that does not end in a match, as Kubernetes does. */
  evaluateObserved(
    bindings: AdmissionBindings | Bindings,
    costs: CostAllowance,
    { conditions }: Pick<AdmissionObserver, 'conditions'>,
    evaluated: EvaluatedConditions,
  ): ConditionsOutcome {
    const start = performance.now();
    const outcome = this.evaluate(bindings, costs);
    if ('failed' in outcome) conditions.evaluated(evaluated, (performance.now() - start) / 1000, outcome.failed);
    return outcome;
  }

  #failed(error: string, failed: number): ConditionsOutcome {
    return this.#failsOnError ? { error, failed } : { isMatch: false, failed };
  }
}

/** Conditions were checked when they were written. One that does not compile anyway fails each request. */
function compiled({ name = '', expression = '' }: MatchCondition, environment: Environment): CompiledCondition {
  const outcome = compileCondition(expression, environment);
  return { name, expression, program: outcome };
}

/** Returns what is wrong with the expression instead, if it cannot be a condition. */
export function compileCondition(expression: string, environment = webhookEnvironment()): Program | string {
  const checked = compile(environment, expression);
  if ('text' in checked) return `compilation failed: ${checked.text}`;
  const { ast } = checked;
  if (ast.resultType.kind !== 'bool') return `must evaluate to bool but got ${typeName(ast.resultType)}`;
  const ready = program(environment, ast);
  return ready instanceof CelError ? `program instantiation failed: ${ready.message}` : ready;
}
