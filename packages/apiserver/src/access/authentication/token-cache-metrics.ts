import type { Counter, Gauge, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import { SampledDurations } from '../sampled-durations.ts';

type Status = 'hit' | 'miss';

const statuses: readonly Status[] = ['hit', 'miss'];

/** Those of Prometheus' client by default, in seconds. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kubernetes' metrics of tokens that are known already, or must be verified. Kubernetes gives them no help. */
export class TokenCacheMetrics {
  readonly #requests: MetricFamily<Counter>;
  readonly #fetches: MetricFamily<Counter>;
  readonly #active: MetricFamily<Gauge>;
  readonly #durations: SampledDurations<Status>;

  constructor(metrics: MetricsRegistry) {
    const help = '[ALPHA] ';
    this.#requests = metrics.counter({ name: 'authentication_token_cache_request_total', help, labels: ['status'] });
    this.#fetches = metrics.counter({ name: 'authentication_token_cache_fetch_total', help, labels: ['status'] });
    this.#active = metrics.gauge({
      name: 'authentication_token_cache_active_fetch_count',
      help,
      labels: ['status'],
    });
    const durations = metrics.histogram({
      name: 'authentication_token_cache_request_duration_seconds',
      help,
      labels: ['status'],
      bounds: durationBounds,
    });
    this.#durations = new SampledDurations(durations, statuses);
    metrics.beforeScrape(() => this.#durations.flush());
  }

  /** Returns what `hit` and `missed` want. */
  begin(): number {
    return this.#durations.begin();
  }

  hit(startedAt: number): void {
    this.#requests.with('hit').add();
    this.#durations.end('hit', startedAt);
  }

  /** A token was verified. `verified` is a promise if an issuer was asked for its keys. */
  missed<T>(verified: T | Promise<T>, startedAt: number): void {
    this.#requests.with('miss').add();
    this.#fetches.with('ok').add();
    if (verified instanceof Promise) void this.#wait(verified);
    else this.#durations.end('miss', startedAt);
  }

  async #wait(verified: Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    const active = this.#active.with('in_flight');
    active.add(1);
    await verified.catch(() => undefined);
    active.add(-1);
    this.#durations.waited('miss', (performance.now() - startedAt) / 1000);
  }
}
