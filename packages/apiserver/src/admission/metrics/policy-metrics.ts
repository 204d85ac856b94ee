import type { Counter, Histogram, MetricFamily, MetricsRegistry } from '@flotilla/kube';

/** What a policy made of a request: Kubernetes' `enforcement_action`. */
export type EnforcementAction = 'allow' | 'deny' | 'warn' | 'audit';

/** An expression of a policy that was evaluated for a request. */
export interface PolicyCheck {
  readonly policy: string;
  readonly binding: string;
  /** Why it failed; undefined if it did not. */
  readonly error: string | undefined;
  readonly seconds: number;
}

export interface PolicyObserver {
  /** A validation that failed. Those that succeed are not counted, as in Kubernetes. */
  validated(check: PolicyCheck, action: EnforcementAction): void;
  mutated(check: PolicyCheck): void;
}

/** Those of kube-apiserver, in seconds. */
const durationBounds = [0.0000005, 0.001, 0.01, 0.1, 1];

/** Kubernetes' metrics of admission policies. */
export class PolicyMetrics implements PolicyObserver {
  readonly #validations: Checks;
  readonly #mutations: Checks;

  constructor(metrics: MetricsRegistry) {
    this.#validations = checks(metrics, 'validating', ['enforcement_action', 'error_type', 'policy', 'policy_binding']);
    this.#mutations = checks(metrics, 'mutating', ['error_type', 'policy', 'policy_binding']);
  }

  validated({ policy, binding, error, seconds }: PolicyCheck, action: EnforcementAction): void {
    this.#validations.observe(seconds, action, errorType(error), policy, binding);
  }

  mutated({ policy, binding, error, seconds }: PolicyCheck): void {
    this.#mutations.observe(seconds, errorType(error), policy, binding);
  }
}

interface Checks {
  readonly observe: (seconds: number, ...labels: readonly string[]) => void;
}

function checks(metrics: MetricsRegistry, kind: 'validating' | 'mutating', labels: readonly string[]): Checks {
  const total: MetricFamily<Counter> = metrics.counter({
    name: `apiserver_${kind}_admission_policy_check_total`,
    help: `Expressions of ${kind} admission policies that were evaluated, by policy and binding.`,
    labels,
  });
  const durations: MetricFamily<Histogram> = metrics.histogram({
    name: `apiserver_${kind}_admission_policy_check_duration_seconds`,
    help: `Time to evaluate an expression of a ${kind} admission policy in seconds.`,
    labels,
    bounds: durationBounds,
  });
  return {
    observe: (seconds, ...values) => {
      total.with(...values).add();
      durations.with(...values).observe(seconds);
    },
  };
}

/** Kubernetes tells errors apart by their first words. */
function errorType(error: string | undefined): string {
  if (error === undefined) return 'no_error';
  if (error.startsWith('compilation')) return 'compile_error';
  return error.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
