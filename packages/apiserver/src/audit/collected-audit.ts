import type { JsonObject } from '@flotilla/kube';
import type { AuditLevel } from './audit-level.ts';
import type { AuditDecision } from './policy/audit-policy.ts';
import { recordedObject, recordedPatch, type RecordedBody } from './recorded-body.ts';
import type { RequestAudit } from './request-audit.ts';

/** What a worker adds to the event of a request, in a form that can be sent to the main thread. */
export interface AuditAdditions {
  readonly annotations: (readonly [key: string, value: string, level: AuditLevel | undefined])[];
  body?: RecordedBody;
}

/** Collects what a worker adds to the event of a request. */
export class CollectedAudit implements RequestAudit {
  readonly additions: AuditAdditions = { annotations: [] };
  readonly decision: AuditDecision;

  constructor(decision: AuditDecision) {
    this.decision = decision;
  }

  annotate(key: string, value: string, level?: AuditLevel): void {
    this.additions.annotations.push([key, value, level]);
  }

  setRequestObject(object: JsonObject): void {
    this.setRequestBody(recordedObject(object, this.decision));
  }

  setRequestPatch(bytes: Uint8Array): void {
    this.setRequestBody(recordedPatch(bytes, this.decision));
  }

  setRequestBody(body: RecordedBody): void {
    this.additions.body = body;
  }
}

export function addCollected(audit: RequestAudit, { annotations, body }: AuditAdditions): void {
  for (const [key, value, level] of annotations) audit.annotate(key, value, level);
  if (body) audit.setRequestBody(body);
}
