import type { Counter, MetricsRegistry } from '@flotilla/kube';
import { auditLevels, type AuditLevel } from './audit-level.ts';

/** Named as in kube-apiserver. */
export interface AuditMetrics {
  readonly events: Counter;
  readonly rejected: Counter;
  readonly countLevel: (level: AuditLevel) => void;
}

export function auditMetrics(metrics: MetricsRegistry): AuditMetrics {
  const byLevel = metrics.counter({
    name: 'apiserver_audit_level_total',
    help: 'Requests by the level that the audit policy has for them.',
    labels: ['level'],
  });
  const levels = new Map(auditLevels.map((level) => [level, byLevel.with(level)]));
  return {
    events: metrics
      .counter({ name: 'apiserver_audit_event_total', help: 'Audit events sent to the backends.', labels: [] })
      .with(),
    rejected: metrics
      .counter({
        name: 'apiserver_audit_requests_rejected_total',
        help: 'Requests refused because their audit event could not be stored.',
        labels: [],
      })
      .with(),
    countLevel: (level) => levels.get(level)?.add(),
  };
}

/** Counts events that a backend lost. */
export function lostEvents(metrics: MetricsRegistry, backend: string): Counter {
  return metrics
    .counter({
      name: 'apiserver_audit_error_total',
      help: 'Audit events that a backend did not store.',
      labels: ['plugin'],
    })
    .with(backend);
}
