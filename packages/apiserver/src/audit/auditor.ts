import { anonymous, apiErrors, type ApiRequest, type ApiResponse } from '@flotilla/kube';
import { requestAccess } from '../access/request-access.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { errorResponse } from '../response/respond.ts';
import { isStream } from '../response/response-parts.ts';
import type { AuditBackend, BackendDependencies, MakeBackend } from './backends/audit-backend.ts';
import type { AuditEvent } from './audit-event.ts';
import { auditMetrics, type AuditMetrics } from './audit-metrics.ts';
import type { AuditStage } from './audit-stage.ts';
import { auditedStream, KeptBody } from './audited-stream.ts';
import { auditDecisions, type AuditDecision, type AuditPolicy } from './policy/audit-policy.ts';
import type { AuditedAccess } from './policy/rule-matches.ts';
import { RequestRecord } from './request-record.ts';

type Answer = ApiResponse | Promise<ApiResponse>;

export interface AuditOptions {
  readonly policy: AuditPolicy;
  readonly backends: readonly MakeBackend[];
}

export interface AuditorDependencies extends BackendDependencies {
  readonly uid: () => string;
}

/** Records requests as the policy says. */
export class Auditor {
  readonly #backends: readonly AuditBackend[];
  readonly #decide: (access: AuditedAccess) => AuditDecision;
  readonly #dependencies: AuditorDependencies;
  readonly #metrics: AuditMetrics;

  constructor({ policy, backends }: AuditOptions, dependencies: AuditorDependencies) {
    this.#backends = backends.map((make) => make(dependencies));
    this.#decide = auditDecisions(policy);
    this.#dependencies = dependencies;
    this.#metrics = auditMetrics(dependencies.metrics);
  }

  /** Answers a request. `answer` gets the request's record, or undefined if the policy does not record it. */
  audited(request: ApiRequest, info: RequestInfo, answer: (record: RequestRecord | undefined) => Answer): Answer {
    const access = accessOf(request, info);
    const decision = this.#decide(access);
    this.#metrics.countLevel(decision.level);
    if (decision.level === 'None') return answer(undefined);
    const record = new RequestRecord({
      request,
      access,
      decision,
      auditId: request.auditId ?? this.#dependencies.uid(),
      received: this.#now(),
    });
    const respond = (): Answer => this.#respond(request, info, record, answer(record));
    // Kubernetes records requests with invalid credentials once, when it refuses them.
    const received = request.user === undefined || this.#emit(record, 'RequestReceived');
    const next = (isStored: boolean): Answer => (isStored ? respond() : this.#refusal(request, info));
    return received instanceof Promise ? received.then(next) : next(received);
  }

  #refusal(request: ApiRequest, info: RequestInfo): ApiResponse {
    this.#metrics.rejected.add();
    return errorResponse(request, info.query, apiErrors.internalError('failed to store audit event'));
  }

  #respond(request: ApiRequest, info: RequestInfo, record: RequestRecord, response: Answer): Answer {
    if (response instanceof Promise)
      return response.then((answered) => this.#answered(request, info, record, answered));
    return this.#answered(request, info, record, response);
  }

  #answered(request: ApiRequest, info: RequestInfo, record: RequestRecord, response: ApiResponse): Answer {
    const { body, status, headers } = response;
    if (isStream(body)) return this.#streamed(request, info, record, response);
    record.setResponse({ status, headers }, body instanceof Uint8Array ? body : Buffer.concat(body));
    const written = this.#emit(record, request.user === undefined ? 'ResponseStarted' : record.lastStage);
    return written instanceof Promise ? written.then(() => response) : response;
  }

  #streamed(request: ApiRequest, info: RequestInfo, record: RequestRecord, response: ApiResponse): Answer {
    const { status, headers } = response;
    const isWatch = info.isResource && info.verb === 'watch';
    record.setCode(status);
    const started = isWatch ? this.#emit(record, 'ResponseStarted') : true;
    const kept = isWatch || !record.keepsResponse ? undefined : new KeptBody();
    const ended = (): void => {
      const bytes = kept?.bytes();
      if (bytes === 'too-large') record.setTooLarge();
      else if (bytes) record.setResponse({ status, headers }, bytes);
      void this.#emit(record, record.lastStage);
    };
    const body = response.body as Extract<ApiResponse['body'], { start: unknown }>;
    // The client has left: nothing will read the stream, so that it would never end.
    if (request.signal.aborted) ended();
    const audited = request.signal.aborted ? response : { ...response, body: auditedStream(body, kept, ended) };
    return started instanceof Promise ? started.then(() => audited) : audited;
  }

  /** Returns whether the event is stored, as far as the request depends on it. */
  #emit(record: RequestRecord, stage: AuditStage): boolean | Promise<boolean> {
    if (record.decision.omitStages.has(stage)) return true;
    this.#metrics.events.add();
    return this.#write(record.eventAt(stage, this.#now()));
  }

  #write(event: AuditEvent): boolean | Promise<boolean> {
    const [first, ...others] = this.#backends.map((backend) => backend.write(event));
    if (others.length === 0) return first ?? true;
    const results = [first ?? true, ...others];
    if (!results.some((result) => result instanceof Promise)) return !results.includes(false);
    return Promise.all(results.map((result) => Promise.resolve(result))).then((all) => !all.includes(false));
  }

  #now(): Date {
    return new Date(this.#dependencies.clock.now());
  }

  async stop(): Promise<void> {
    await Promise.all(this.#backends.map((backend) => backend.stop()));
  }
}

function accessOf(request: ApiRequest, info: RequestInfo): AuditedAccess {
  const { user } = request;
  const access = requestAccess(request, info, user ?? anonymous);
  return {
    user,
    verb: access.verb,
    object: access.isResource ? access : undefined,
    path: access.isResource ? '' : access.path,
  };
}
