import { CelError, CelMap, type Bindings, type CelValue, type Result } from '@flotilla/cel';
import type { CostAllowance } from '../../resources/cost-allowance.ts';
import type { AdmissionBindings } from '../matching/admission-bindings.ts';
import type { CompiledExpression } from './compile-expression.ts';

/** The limits of Kubernetes: for one expression, and for all of one kind in a policy. */
const callCostLimit = 1_000_000;
export const policyCostBudget = 10_000_000;

/** Ends all expressions of a run. */
export const outOfBudget = new CelError(
  'validation failed due to running out of cost budget, no further validation rules will be run',
);

/** What the expressions of a policy can read. */
export interface RunInputs {
  readonly request: AdmissionBindings;
  readonly params: CelValue;
  readonly namespaceObject: () => CelValue;
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly hasAuthorizer: boolean;
  readonly costs: CostAllowance;
}

/** Runs expressions of a policy one after another, on one budget. A variable is evaluated when it is first read. */
export class ExpressionRun {
  readonly #bindings: RunBindings;
  readonly #costs: CostAllowance;
  #budget: number;

  constructor(inputs: RunInputs, budget: number = policyCostBudget) {
    this.#bindings = new RunBindings(inputs);
    this.#costs = inputs.costs;
    this.#budget = budget;
  }

  get remainingBudget(): number {
    return this.#budget;
  }

  /** Returns `outOfBudget` if this and all later expressions cannot run. */
  run({ text, program, fault }: CompiledExpression): Result {
    if (program === undefined) return new CelError(`compilation error: ${fault?.detail ?? ''}`);
    const { value, cost } = this.#costs.evaluate(program, this.#bindings as unknown as Bindings, callCostLimit);
    this.#budget -= cost + this.#bindings.takeVariableCost();
    if (this.#budget < 0) return outOfBudget;
    return value instanceof CelError ? new CelError(`expression '${text}' resulted in error: ${value.message}`) : value;
  }
}

/** Programs read their variables from it by name. */
class RunBindings {
  readonly #inputs: RunInputs;
  #variables: LazyVariables | undefined;

  constructor(inputs: RunInputs) {
    this.#inputs = inputs;
  }

  get params(): CelValue {
    return this.#inputs.params;
  }

  get variables(): LazyVariables {
    return (this.#variables ??= new LazyVariables(this.#inputs, this as unknown as Bindings));
  }

  /** What variables have cost since the last call. */
  takeVariableCost(): number {
    return this.#variables === undefined ? 0 : this.#variables.takeCost();
  }

  get object(): CelValue {
    return this.#inputs.request.object;
  }

  get oldObject(): CelValue {
    return this.#inputs.request.oldObject;
  }

  get request(): CelValue {
    return this.#inputs.request.request;
  }

  get namespaceObject(): CelValue {
    return this.#inputs.namespaceObject();
  }

  get authorizer(): CelValue | undefined {
    return this.#inputs.hasAuthorizer ? this.#inputs.request.authorizer : undefined;
  }

  get 'authorizer.requestResource'(): CelValue | undefined {
    return this.#inputs.hasAuthorizer ? this.#inputs.request['authorizer.requestResource'] : undefined;
  }
}

const noVariables: ReadonlyMap<string, CompiledExpression> = new Map();
const noNamespace = (): CelValue => null;

/** What match conditions can read: no variables, and no namespace. */
export function conditionBindings(request: AdmissionBindings, params: CelValue, costs: CostAllowance): Bindings {
  const inputs = { request, params, namespaceObject: noNamespace, variables: noVariables, hasAuthorizer: true, costs };
  return new RunBindings(inputs) as unknown as Bindings;
}

/** The value of `variables`. */
class LazyVariables extends CelMap {
  readonly #compiled: ReadonlyMap<string, CompiledExpression>;
  readonly #bindings: Bindings;
  readonly #costs: CostAllowance;
  #values: Map<string, Result> | undefined;
  #cost = 0;

  constructor({ variables, costs }: RunInputs, bindings: Bindings) {
    super();
    this.#compiled = variables;
    this.#bindings = bindings;
    this.#costs = costs;
  }

  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  override get size(): number {
    return this.#compiled.size;
  }

  override keys(): Iterable<CelValue> {
    return this.#compiled.keys();
  }

  override get(key: CelValue): Result | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#values?.get(key);
    if (known !== undefined) return known;
    const compiled = this.#compiled.get(key);
    if (compiled === undefined) return undefined;
    const value = this.#evaluate(key, compiled);
    (this.#values ??= new Map()).set(key, value);
    return value;
  }

  #evaluate(name: string, { program, fault }: CompiledExpression): Result {
    if (program === undefined) {
      return new CelError(`composited variable "${name}" fails to compile: ${fault?.detail ?? ''}`);
    }
    const { value, cost } = this.#costs.evaluate(program, this.#bindings, callCostLimit);
    this.#cost += cost;
    if (!(value instanceof CelError)) return value;
    return new CelError(`composited variable "${name}" fails to evaluate: ${value.message}`);
  }
}
