import type { AuditLevel } from './audit-level.ts';

/** What the parts of the server add to the audit event of a request. Absent if the request is not audited. */
export interface RequestAudit {
  /**
   * Adds an annotation to the event if the request is audited at `level` or above; at every level by default. The first value of a
   * key is kept.
   */
  annotate(key: string, value: string, level?: AuditLevel): void;
}
