import type { Counter, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import { SampledDurations } from './sampled-durations.ts';
import { accessDurationBounds } from './authentication/authentication-metrics.ts';

/** RBAC denies nothing: it has no opinion on what no rule allows. */
type Result = 'allowed' | 'no-opinion';

const results: readonly Result[] = ['allowed', 'no-opinion'];

/** Kubernetes' metrics of requests that are authorized. */
export class AuthorizationMetrics {
  readonly #attempts: MetricFamily<Counter>;
  readonly #durations: SampledDurations<Result>;

  /** `allowedByRules` counts all decisions of RBAC, also those that are no request's own. */
  constructor(metrics: MetricsRegistry, allowedByRules: () => number) {
    this.#attempts = metrics.counter({
      name: 'authorization_attempts_total',
      help: "[ALPHA] Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
      labels: ['result'],
    });
    const durations = metrics.histogram({
      name: 'authorization_duration_seconds',
      help: '[ALPHA] Authorization duration in seconds broken out by result.',
      labels: ['result'],
      bounds: accessDurationBounds,
    });
    this.#durations = new SampledDurations(durations, results);
    const decisions = metrics.counter({
      name: 'apiserver_authorization_decisions_total',
      help: '[ALPHA] Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
      labels: ['decision', 'name', 'type'],
    });
    metrics.beforeScrape(() => {
      this.#durations.flush();
      const allowed = allowedByRules();
      if (allowed === 0) return;
      const counter = decisions.with('allowed', 'rbac', 'RBAC');
      counter.add(allowed - counter.value);
    });
  }

  /** Returns what `decided` wants. */
  begin(): number {
    return this.#durations.begin();
  }

  decided(isAllowed: boolean, startedAt: number): void {
    const result = isAllowed ? 'allowed' : 'no-opinion';
    this.#attempts.with(result).add();
    this.#durations.end(result, startedAt);
  }
}
