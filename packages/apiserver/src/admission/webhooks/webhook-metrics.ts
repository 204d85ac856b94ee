import type { Counter, Histogram, MetricFamily, MetricsRegistry } from '@flotilla/kube';
import type { Operation } from '../admission.ts';
import { pluginDurationBounds } from '../metrics/admission-metrics.ts';

/** The phase of a webhook, as metrics name it. */
export type Step = 'admit' | 'validating';

export type RejectionCause = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

export interface CallOutcome {
  readonly seconds: number;
  /** 200 if the request is allowed, 0 if the webhook was not to blame. */
  readonly code: number;
  /** Undefined if the request goes on. */
  readonly rejection?: RejectionCause | undefined;
}

/** As in kube-apiserver: a webhook may take longer than a plugin. */
const durationBounds = [...pluginDurationBounds, 10, 25];

/** A webhook may answer with any code. */
const maxCode = 600;

/** Counts calls of webhooks. */
export interface WebhookObserver {
  called(name: string, type: Step, operation: Operation, outcome: CallOutcome): void;
  failedOpen(name: string, type: Step): void;
  excluded(name: string, type: Step, operation: Operation): void;
}

/** Kubernetes' metrics of admission webhooks. */
export class WebhookMetrics implements WebhookObserver {
  readonly #requests: MetricFamily<Counter>;
  readonly #durations: MetricFamily<Histogram>;
  readonly #rejections: MetricFamily<Counter>;
  readonly #failedOpen: MetricFamily<Counter>;
  readonly #excluded: MetricFamily<Counter>;

  constructor(metrics: MetricsRegistry) {
    this.#requests = metrics.counter({
      name: 'apiserver_admission_webhook_request_total',
      help: 'Calls of admission webhooks by name, phase, operation, code, and whether the request was rejected.',
      labels: ['code', 'name', 'operation', 'rejected', 'type'],
    });
    this.#durations = metrics.histogram({
      name: 'apiserver_admission_webhook_admission_duration_seconds',
      help: 'Response time of admission webhooks in seconds.',
      labels: ['name', 'operation', 'rejected', 'type'],
      bounds: durationBounds,
    });
    this.#rejections = metrics.counter({
      name: 'apiserver_admission_webhook_rejection_count',
      help: 'Requests that admission webhooks rejected, by the kind of error and the code of the answer.',
      labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'],
    });
    this.#failedOpen = metrics.counter({
      name: 'apiserver_admission_webhook_fail_open_count',
      help: 'Calls of admission webhooks that failed and were ignored.',
      labels: ['name', 'type'],
    });
    this.#excluded = metrics.counter({
      name: 'apiserver_admission_match_condition_exclusions_total',
      help: 'Requests that a match condition excluded.',
      labels: ['kind', 'name', 'operation', 'type'],
    });
  }

  called(name: string, type: Step, operation: Operation, { seconds, code, rejection }: CallOutcome): void {
    const shownCode = String(Math.min(code, maxCode));
    const rejected = String(rejection !== undefined);
    this.#requests.with(shownCode, name, operation, rejected, type).add();
    this.#durations.with(name, operation, rejected, type).observe(seconds);
    if (rejection) this.#rejections.with(rejection, name, operation, shownCode, type).add();
  }

  failedOpen(name: string, type: Step): void {
    this.#failedOpen.with(name, type).add();
  }

  excluded(name: string, type: Step, operation: Operation): void {
    this.#excluded.with('webhook', name, operation, type === 'admit' ? 'admit' : 'validate').add();
  }
}
