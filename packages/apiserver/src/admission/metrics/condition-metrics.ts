import type { Counter, Histogram, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import type { Operation, PhaseName } from '../admission.ts';

/** The webhook or policy whose match conditions were evaluated for a request. */
export interface EvaluatedConditions {
  readonly kind: 'webhook' | 'policy';
  readonly name: string;
  readonly operation: Operation;
  readonly type: PhaseName;
}

export interface ConditionObserver {
  evaluated(conditions: EvaluatedConditions, seconds: number, errors: number): void;
}

/** Those of kube-apiserver, in seconds. */
const durationBounds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** Kubernetes' metrics of match conditions. */
export class ConditionMetrics implements ConditionObserver {
  readonly #durations: MetricFamily<Histogram>;
  readonly #errors: MetricFamily<Counter>;

  constructor(metrics: MetricsRegistry) {
    const labels = ['kind', 'name', 'operation', 'type'];
    this.#durations = metrics.histogram({
      name: 'apiserver_admission_match_condition_evaluation_seconds',
      help: 'Time to evaluate the match conditions of a webhook or policy in seconds.',
      labels,
      bounds: durationBounds,
    });
    this.#errors = metrics.counter({
      name: 'apiserver_admission_match_condition_evaluation_errors_total',
      help: 'Match conditions that could not be evaluated.',
      labels,
    });
  }

  evaluated({ kind, name, operation, type }: EvaluatedConditions, seconds: number, errors: number): void {
    this.#durations.with(kind, name, operation, type).observe(seconds);
    if (errors > 0) this.#errors.with(kind, name, operation, type).add(errors);
  }
}
