import type { JsonObject } from '@flotilla/kube';
import type { AuditLevel } from './audit-level.ts';
import type { AuditDecision } from './policy/audit-policy.ts';
import type { RecordedBody } from './recorded-body.ts';

/** What the parts of the server add to the audit event of a request. Absent if the request is not audited. */
export interface RequestAudit {
  readonly decision: AuditDecision;
  /**
   * Adds an annotation to the event if the request is audited at `level` or above; at every level by default. The first value of a
   * key is kept.
   */
  annotate(key: string, value: string, level?: AuditLevel): void;
  /** The decoded body of the request, with defaults. Call it before anything else changes the object. */
  setRequestObject(object: JsonObject): void;
  /** The body of a patch, in JSON or YAML. */
  setRequestPatch(bytes: Uint8Array): void;
  /** One of the two, as a worker has recorded it. */
  setRequestBody(body: RecordedBody): void;
}
