import type { ApiRequest, ApiResponse, JsonObject, User } from '@flotilla/kube';
import { truncatedKey, type AuditEvent, type ObjectReference, type ResponseStatus } from './audit-event.ts';
import { isBelow, type AuditLevel } from './audit-level.ts';
import type { AuditStage } from './audit-stage.ts';
import type { AuditDecision } from './policy/audit-policy.ts';
import type { AuditedAccess } from './policy/rule-matches.ts';
import type { RequestAudit } from './request-audit.ts';
import { recordedObject, recordedPatch, type RecordedBody } from './recorded-body.ts';
import { responseObject, responseStatus } from './response-object.ts';
import { sourceIps } from './source-ips.ts';

const maxUserAgentLength = 1024;
/** A client could make an event of any size with its annotations in webhooks and policies. */
const maxAnnotations = 1000;

interface RecordedRequest {
  readonly request: ApiRequest;
  readonly access: AuditedAccess;
  readonly decision: AuditDecision;
  readonly auditId: string;
  readonly received: Date;
}

/** What becomes known of one audited request. An event is a copy of it at a stage. */
export class RequestRecord implements RequestAudit {
  readonly decision: AuditDecision;
  readonly auditId: string;
  readonly #level: AuditLevel;
  readonly #known: Omit<AuditEvent, 'stage' | 'stageTime' | 'annotations'>;
  readonly #annotations = new Map<string, string>();
  #object: ObjectReference | undefined;
  #impersonated: { readonly user: User; readonly constraint: string } | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;
  #responseStatus: ResponseStatus | undefined;
  /** Why the request panicked, if it did. */
  #panic: string | undefined;

  constructor({ request, access, decision, auditId, received }: RecordedRequest) {
    this.decision = decision;
    this.auditId = auditId;
    this.#level = decision.level;
    this.#object = access.object && { ...access.object, uid: '', resourceVersion: '' };
    this.#known = {
      level: decision.level,
      auditId,
      requestUri: request.query === '' ? request.path : `${request.path}?${request.query}`,
      verb: access.verb,
      user: access.user,
      sourceIps: sourceIps(request),
      userAgent: shortened(request.headers['user-agent'] ?? ''),
      received,
    };
  }

  annotate(key: string, value: string, level: AuditLevel = 'Metadata'): void {
    if (isBelow(this.#level, level) || this.#annotations.has(key) || this.#annotations.size >= maxAnnotations) return;
    this.#annotations.set(key, value);
  }

  authorize(isAllowed: boolean, reason: string): void {
    this.annotate('authorization.k8s.io/decision', isAllowed ? 'allow' : 'forbid');
    this.annotate('authorization.k8s.io/reason', reason);
  }

  impersonate(user: User, constraint: string): void {
    this.#impersonated = { user, constraint };
  }

  setRequestObject(object: JsonObject): void {
    this.setRequestBody(recordedObject(object, this.decision));
  }

  setRequestPatch(bytes: Uint8Array): void {
    this.setRequestBody(recordedPatch(bytes, this.decision));
  }

  setRequestBody({ text, isTooLarge, namespace = '', name = '', uid = '', resourceVersion = '' }: RecordedBody): void {
    this.#requestObject = text;
    if (isTooLarge) this.annotate(truncatedKey, 'true');
    if (!this.#object) return;
    // A create names its object in the body only.
    this.#object = {
      ...this.#object,
      namespace: this.#object.namespace || namespace,
      name: this.#object.name || name,
      uid,
      resourceVersion,
    };
  }

  setPanic(message: string): void {
    this.#panic = message;
  }

  setResponse({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>, body: Uint8Array): void {
    this.#responseStatus = responseStatus(status, headers, body);
    if (this.#panic !== undefined) {
      const message = `APIServer panic'd: ${this.#panic}`;
      this.#responseStatus = { status: 'Failure', message, reason: 'InternalError', code: 500 };
    }
    // A path that is no resource has no object.
    if (!this.#object || !this.keepsResponse) return;
    const { text, isTooLarge } = responseObject(headers, body, this.decision.omitsManagedFields);
    this.#responseObject = text;
    if (isTooLarge) this.setTooLarge();
  }

  /** For a stream, whose body is not known yet. */
  setCode(code: number): void {
    this.#responseStatus = { code };
  }

  /** The body of the response is larger than what an event has room for. */
  setTooLarge(): void {
    this.annotate(truncatedKey, 'true');
  }

  get keepsResponse(): boolean {
    return this.#level === 'RequestResponse';
  }

  /** The stage of a request that is answered. */
  get lastStage(): AuditStage {
    return this.#panic === undefined ? 'ResponseComplete' : 'Panic';
  }

  eventAt(stage: AuditStage, stageTime: Date): AuditEvent {
    const constraint = this.#impersonated?.constraint;
    return {
      ...this.#known,
      stage,
      stageTime,
      object: this.#object,
      impersonatedUser: this.#impersonated?.user,
      ...(constraint !== undefined && constraint !== '' && { impersonationConstraint: constraint }),
      responseStatus: this.#responseStatus,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      annotations: new Map(this.#annotations),
    };
  }
}

function shortened(userAgent: string): string {
  if (userAgent.length <= maxUserAgentLength) return userAgent;
  return `${userAgent.slice(0, maxUserAgentLength)}...TRUNCATED`;
}
