import { hash } from 'node:crypto';
import type { Counter, Gauge, Histogram, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';

type Result = 'success' | 'failure';

/** Those of kube-apiserver, in seconds. */
const latencyBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kubernetes leaves the label empty if a server has no identity. */
const noServer = '';

/** Kubernetes' metrics of the issuers of tokens, and of the file that names them. */
export class IssuerMetrics {
  readonly #clock: Clock;
  readonly #latency: MetricFamily<Histogram>;
  readonly #fetched: MetricFamily<Gauge>;
  readonly #keySets: MetricFamily<Gauge>;
  readonly #reloads: MetricFamily<Counter>;
  readonly #reloaded: MetricFamily<Gauge>;
  readonly #configuration: MetricFamily<Gauge>;
  /** The hashes that the metrics show now. */
  readonly #keySetOf = new Map<string, string>();
  #shownConfiguration: string | undefined;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#latency = metrics.histogram({
      name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
      help: '[ALPHA] Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
      labels: ['jwt_issuer_hash', 'result'],
      bounds: latencyBounds,
    });
    this.#fetched = metrics.gauge({
      name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds',
      help: '[ALPHA] Timestamp of the last successful or failed JWKS fetch split by result, api server identity and jwt issuer for the JWT authenticator.',
      labels: ['apiserver_id_hash', 'jwt_issuer_hash', 'result'],
    });
    this.#keySets = metrics.gauge({
      name: 'apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info',
      help: '[ALPHA] Information about the last JWKS fetched by the JWT authenticator with hash as label, split by api server identity and jwt issuer.',
      labels: ['apiserver_id_hash', 'hash', 'jwt_issuer_hash'],
    });
    const controller = 'apiserver_authentication_config_controller';
    this.#reloads = metrics.counter({
      name: `${controller}_automatic_reloads_total`,
      help: '[BETA] Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
      labels: ['apiserver_id_hash', 'status'],
    });
    this.#reloaded = metrics.gauge({
      name: `${controller}_automatic_reload_last_timestamp_seconds`,
      help: '[BETA] Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.',
      labels: ['apiserver_id_hash', 'status'],
    });
    this.#configuration = metrics.gauge({
      name: `${controller}_last_config_info`,
      help: '[ALPHA] Information about the last applied authentication configuration with hash as label, split by apiserver identity.',
      labels: ['apiserver_id_hash', 'hash'],
    });
  }

  /** A token of an issuer was verified, which took some time since `startedAt`. */
  verified(issuer: string, result: Result, startedAt: number): void {
    this.#latency.with(hashOf(issuer), result).observe((this.#clock.elapsed() - startedAt) / 1000);
  }

  fetchedKeys(issuer: string, keySet: string): void {
    const before = this.#keySetOf.get(issuer);
    const now = hashOf(keySet);
    if (before !== undefined && before !== now) this.#keySets.without(noServer, before, hashOf(issuer));
    this.#keySetOf.set(issuer, now);
    this.#keySets.with(noServer, now, hashOf(issuer)).set(1);
    this.#setFetched(issuer, 'success');
  }

  failedToFetchKeys(issuer: string): void {
    this.#setFetched(issuer, 'failure');
  }

  /** The configuration names the issuer no more. */
  removed(issuer: string): void {
    const shown = hashOf(issuer);
    for (const result of ['success', 'failure']) this.#fetched.without(noServer, shown, result);
    const keySet = this.#keySetOf.get(issuer);
    if (keySet !== undefined) this.#keySets.without(noServer, keySet, shown);
    this.#keySetOf.delete(issuer);
  }

  reloaded(result: Result): void {
    this.#reloads.with(noServer, result).add();
    this.#reloaded.with(noServer, result).set(this.#clock.now() / 1000);
  }

  /** The configuration that counts now. */
  configured(content: string): void {
    if (this.#shownConfiguration !== undefined) this.#configuration.without(noServer, this.#shownConfiguration);
    this.#shownConfiguration = hashOf(content);
    this.#configuration.with(noServer, this.#shownConfiguration).set(1);
  }

  #setFetched(issuer: string, result: Result): void {
    this.#fetched.with(noServer, hashOf(issuer), result).set(this.#clock.now() / 1000);
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${hash('sha256', text)}`;
}
