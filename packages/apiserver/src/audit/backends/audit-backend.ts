import type { Logger, MetricsRegistry } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import type { AuditEvent } from '../audit-event.ts';

/** Where events go. */
export interface AuditBackend {
  /** Returns false if the request must fail because its event cannot be stored. */
  readonly write: (event: AuditEvent) => boolean | Promise<boolean>;
  /** Writes what is buffered. Events that come later are lost. */
  readonly stop: () => Promise<void>;
}

export interface BackendDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

export type MakeBackend = (dependencies: BackendDependencies) => AuditBackend;

/**
 * How a backend treats the request that an event is about: `batch` answers it at once, `blocking` when the event is written, and
 * `blocking-strict` refuses it if the event of its arrival cannot be written.
 */
export const auditModes = ['batch', 'blocking', 'blocking-strict'] as const;

export type AuditMode = (typeof auditModes)[number];
