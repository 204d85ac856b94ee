import { celOf, CelError } from '@flotilla/cel';
import { copyJson, jsonEquals, type KubeObject } from '@flotilla/kube';
import { reinvocationOf, type Attributes, type Reinvocation } from '../../admission.ts';
import { roundsOf, type InvocationRounds } from '../../invocation-rounds.ts';
import { replaceObject } from '../../replace-object.ts';
import { CostAllowance } from '../../../resources/cost-allowance.ts';
import { AdmissionBindings } from '../../matching/admission-bindings.ts';
import type { MatchedResource } from '../../matching/match-criteria.ts';
import { kindOf } from '../../matching/requested-object.ts';
import { inMatchedVersion, inVersion } from '../../matching/versioned-objects.ts';
import type { Binding } from '../active-policies.ts';
import { conditionBindings, ExpressionRun } from '../expression-run.ts';
import type { Invocation } from '../invocations.ts';
import { namespaceObjectOf } from '../request-namespace.ts';
import { applyCreatedConfiguration } from './apply-mutation.ts';
import { decodeMutated, mergeTypeOf } from './decode-mutated.ts';
import { applyPatchOperations } from './json-patch-mutation.ts';
import type { MutatingPolicy, Mutation } from './mutating-policy.ts';
import { MutationFault } from './mutation-fault.ts';

export const mutatingPolicyName = 'MutatingAdmissionPolicy';

/** A policy that could not be applied. Its failure policy decides what that means. */
export interface PolicyFailure {
  readonly policy: MutatingPolicy;
  readonly binding: Binding | undefined;
  readonly message: string;
  readonly reason?: string;
}

/** Applies the policies to the object of the request, which it edits. */
export async function invokePolicies(
  attributes: Attributes,
  invocations: readonly Invocation<MutatingPolicy>[],
): Promise<readonly PolicyFailure[]> {
  const round = new Round(attributes);
  for (const invocation of invocations) await round.invoke(invocation);
  round.end();
  return round.failures;
}

class Round {
  readonly failures: PolicyFailure[] = [];
  readonly #attributes: Attributes;
  readonly #namespaceObject: ReturnType<typeof namespaceObjectOf>;
  readonly #reinvocation: Reinvocation;
  readonly #rounds: InvocationRounds;
  readonly #costs: CostAllowance;
  #hasMutated = false;

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
    this.#costs = new CostAllowance(attributes);
    this.#namespaceObject = namespaceObjectOf(attributes);
    this.#reinvocation = reinvocationOf(attributes);
    this.#rounds = roundsOf(this.#reinvocation, mutatingPolicyName);
    if (this.#reinvocation.isReinvoke) this.#rounds.beginAgain(attributes.object);
  }

  async invoke(invocation: Invocation<MutatingPolicy>): Promise<void> {
    const { policy } = invocation;
    if (!(await this.#isMatch(invocation))) return;
    const id = idOf(invocation);
    if (this.#reinvocation.isReinvoke && !this.#rounds.isDue(id)) return;
    const { object } = this.#attributes;
    const before = object && copyJson(object);
    if (object) {
      for (const mutation of policy.compiled().mutations) await this.#mutate(invocation, mutation, object);
    }
    if (!jsonEquals(before ?? null, object ?? null)) this.#rounds.objectChanged();
    if (policy.isReinvoked) this.#rounds.ran(id);
  }

  /** A mutation counts as a change here even if it changed nothing, as in Kubernetes. */
  end(): void {
    if (this.#hasMutated) {
      this.#rounds.objectChanged();
      this.#reinvocation.shouldReinvoke = true;
    }
    this.#rounds.end(this.#attributes.object);
  }

  async #isMatch({ policy, binding, matched, param }: Invocation<MutatingPolicy>): Promise<boolean> {
    if (policy.conditions.isEmpty) return true;
    const values = new AdmissionBindings(this.#attributes, matched, await inMatchedVersion(this.#attributes, matched));
    const { operation, server } = this.#attributes;
    const evaluated = { kind: 'policy', name: policy.name, operation, type: 'validate' } as const;
    const bindings = conditionBindings(values, celOf(param ?? null), this.#costs);
    const outcome = policy.conditions.evaluateObserved(bindings, this.#costs, server.observer, evaluated);
    if ('error' in outcome) this.failures.push({ policy, binding, message: outcome.error, reason: 'Invalid' });
    return 'isMatch' in outcome && outcome.isMatch;
  }

  async #mutate(invocation: Invocation<MutatingPolicy>, mutation: Mutation, object: KubeObject): Promise<void> {
    const { policy, binding, matched, param } = invocation;
    const { resource, subresource, server } = this.#attributes;
    const start = performance.now();
    const count = (error: string | undefined): void => {
      const seconds = (performance.now() - start) / 1000;
      server.observer.policies.mutated({ policy: policy.name, binding: binding.name, error, seconds });
    };
    try {
      const objects = await inMatchedVersion(this.#attributes, matched);
      const run = new ExpressionRun({
        request: new AdmissionBindings(this.#attributes, matched, objects),
        params: celOf(param ?? null),
        namespaceObject: this.#namespaceObject,
        variables: policy.compiled().variables,
        hasAuthorizer: true,
        costs: this.#costs,
      });
      const changed = mutated(objects.object ?? object, mutation, run, matched);
      replaceObject(object, await inVersion(resource, changed, kindOf(resource, subresource)));
      this.#hasMutated = true;
      count(undefined);
    } catch (error) {
      if (!(error instanceof MutationFault)) throw error;
      count(error.message);
      this.failures.push({ policy, binding, message: error.message, reason: 'Invalid' });
    }
  }
}

function idOf({ policy, binding, param }: Invocation<MutatingPolicy>): string {
  const { namespace = '', name = '' } = param?.metadata ?? {};
  return `${policy.name}/${binding.name}/${namespace}/${name}`;
}

function mutated(object: KubeObject, mutation: Mutation, run: ExpressionRun, matched: MatchedResource): KubeObject {
  const { type, expression } = mutation;
  if (expression.fault) throw new MutationFault(expression.fault.detail);
  const result = run.run(expression);
  if (result instanceof CelError) throw new MutationFault(result.message);
  const value =
    type === 'jsonPatch'
      ? applyPatchOperations(object, result)
      : applyCreatedConfiguration(object, result, mergeTypeOf(matched));
  return value === object ? object : decodeMutated(value, type, matched);
}
