import { celOf, type Bindings } from '@flotilla/cel';
import { ApiError, onceFor } from '@flotilla/kube';
import type { Store } from '../../../store/store.ts';
import { forbidden, type Admission, type Attributes } from '../../admission.ts';
import { CostAllowance } from '../../../resources/cost-allowance.ts';
import { AdmissionBindings } from '../../matching/admission-bindings.ts';
import type { ConditionsOutcome } from '../../matching/match-conditions.ts';
import type { MatchedResource } from '../../matching/match-criteria.ts';
import type { EnforcementAction } from '../../metrics/policy-metrics.ts';
import { ActivePolicies, type Binding } from '../active-policies.ts';
import { conditionBindings } from '../expression-run.ts';
import { stepsFor, type Invocation, type Step } from '../invocations.ts';
import { namespaceObjectOf } from '../request-namespace.ts';
import { AuditAnnotations } from './audit-annotations.ts';
import { decideValidation, type Failure, type Refusal } from './decide-validation.ts';
import { ValidatingPolicy } from './validating-policy.ts';

const policiesOf = onceFor(
  (store: Store) => new ActivePolicies(store, 'validatingadmission', (object) => new ValidatingPolicy(object)),
);

/** Refuses, warns of or annotates requests by the ValidatingAdmissionPolicies that are bound. */
export const validatingAdmissionPolicy: Admission = {
  name: 'ValidatingAdmissionPolicy',
  validate(attributes) {
    const candidates = policiesOf(attributes.server.store).candidates(attributes);
    if (candidates.length === 0) return;
    const steps = stepsFor(attributes, candidates);
    if (steps instanceof Promise) return steps.then((settled) => evaluateAll(attributes, settled));
    evaluateAll(attributes, steps);
  },
};

interface Denial {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };

/** The first denial decides. Warnings and annotations of all policies count. */
function evaluateAll(attributes: Attributes, steps: readonly Step<ValidatingPolicy>[]): void {
  if (steps.length === 0) return;
  const evaluation = new Evaluation(attributes);
  for (const step of steps) {
    if ('message' in step) evaluation.misconfigured(step.policy, step.binding, step.message);
    else evaluation.evaluate(step);
  }
  evaluation.end();
}

class Evaluation {
  readonly #attributes: Attributes;
  readonly #namespaceObject: ReturnType<typeof namespaceObjectOf>;
  readonly #annotations: AuditAnnotations;
  readonly #costs: CostAllowance;
  #bindings: { readonly matched: MatchedResource; readonly values: AdmissionBindings } | undefined;
  #denial: Denial | undefined;

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
    this.#namespaceObject = namespaceObjectOf(attributes);
    this.#annotations = new AuditAnnotations(attributes.audit);
    this.#costs = new CostAllowance(attributes);
  }

  misconfigured(policy: ValidatingPolicy, binding: Binding | undefined, message: string): void {
    if (policy.spec.failurePolicy === 'Ignore') return;
    this.#deny({ policy: policy.name, binding: binding?.name, message, reason: 'Invalid' });
  }

  evaluate(invocation: Invocation<ValidatingPolicy>): void {
    const { policy, binding, param } = invocation;
    const request = this.#requestValues(invocation);
    const params = celOf(param ?? null);
    if (!policy.conditions.isEmpty) {
      const outcome = this.#matches(policy, conditionBindings(request, params, this.#costs));
      if ('error' in outcome) return this.#act(policy, binding, { index: 0, message: outcome.error, seconds: 0 });
      if (!outcome.isMatch) return;
    }
    const inputs = { request, params, namespaceObject: this.#namespaceObject, costs: this.#costs };
    const failsOpen = policy.spec.failurePolicy === 'Ignore';
    const outcome = decideValidation(policy.compiled(), inputs, failsOpen);
    for (const refusal of outcome.refusals) this.#act(policy, binding, refusal);
    for (const [key, value] of outcome.annotations) this.#annotations.add(policy.name, key, value);
    for (const failure of outcome.annotationErrors) {
      this.#deny({ policy: policy.name, binding: binding.name, message: failure.message, reason: 'Invalid' });
      this.#count(policy, binding, failure, 'deny');
    }
    for (const failure of outcome.ignored) this.#count(policy, binding, failure, 'allow');
  }

  #matches({ name, conditions }: ValidatingPolicy, bindings: Bindings): ConditionsOutcome {
    const { operation, server } = this.#attributes;
    const evaluated = { kind: 'policy', name, operation, type: 'validate' } as const;
    return conditions.evaluateObserved(bindings, this.#costs, server.observer, evaluated);
  }

  #count(policy: ValidatingPolicy, binding: Binding, { message, seconds }: Failure, action: EnforcementAction): void {
    const { policies } = this.#attributes.server.observer;
    policies.validated({ policy: policy.name, binding: binding.name, error: message, seconds }, action);
  }

  end(): void {
    this.#annotations.publish();
    if (this.#denial) throw denied(this.#attributes, this.#denial);
  }

  /** Policies that match the same version share these. */
  #requestValues({ matched, objects }: Invocation<ValidatingPolicy>): AdmissionBindings {
    const known = this.#bindings;
    if (known?.matched.resource === matched.resource) return known.values;
    const values = new AdmissionBindings(this.#attributes, matched, objects);
    this.#bindings = { matched, values };
    return values;
  }

  #act(policy: ValidatingPolicy, binding: Binding, refusal: Refusal): void {
    const { message, reason = 'Invalid' } = refusal;
    const { validationActions = [] } = binding.spec;
    for (const action of validationActions) {
      this.#count(policy, binding, refusal, action.toLowerCase() as EnforcementAction);
      if (action === 'Deny') this.#deny({ policy: policy.name, binding: binding.name, message, reason });
      else if (action === 'Audit') this.#annotations.addFailure(policy.name, binding, refusal);
      else if (action === 'Warn') {
        const where = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
        this.#attributes.warnings.push(`Validation failed for ${where}: ${message}`);
      }
    }
  }

  #deny(denial: Denial): void {
    this.#denial ??= denial;
  }
}

function denied(attributes: Attributes, { policy, binding, message, reason }: Denial): ApiError {
  const where = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${where} denied request: ${message}`;
  const { status } = forbidden(attributes, text);
  const details = { ...status.details, causes: [{ message: text }] };
  return new ApiError({ ...status, reason, code: codes[reason] ?? 422, details });
}
