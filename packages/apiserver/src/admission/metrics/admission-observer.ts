import type { MetricsRegistry } from '@flotilla/kube';
import { WebhookMetrics, type WebhookObserver } from '../webhooks/webhook-metrics.ts';
import { AdmissionMetrics, type PhaseRun } from './admission-metrics.ts';
import { ConditionMetrics, type ConditionObserver } from './condition-metrics.ts';
import { PolicyMetrics, type PolicyObserver } from './policy-metrics.ts';

/** Counts what plugins, webhooks and policies do. In a worker it calls the one in the main thread. */
export interface AdmissionObserver {
  readonly ran: (run: PhaseRun) => void;
  readonly webhooks: WebhookObserver;
  readonly policies: PolicyObserver;
  readonly conditions: ConditionObserver;
}

export function admissionObserver(metrics: MetricsRegistry): AdmissionObserver {
  const plugins = new AdmissionMetrics(metrics);
  return {
    ran: (run) => plugins.ran(run),
    webhooks: new WebhookMetrics(metrics),
    policies: new PolicyMetrics(metrics),
    conditions: new ConditionMetrics(metrics),
  };
}
