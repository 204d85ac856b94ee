import {
  ApiError,
  apiErrors,
  errorMessage,
  isMaster,
  type ApiRequest,
  type ApiResponse,
  type LiveView,
  type User,
} from '@flotilla/kube';
import { impersonatedRequest, Impersonation } from '../access/authentication/impersonation.ts';
import type { AuthorizationMetrics } from '../access/authorization-metrics.ts';
import type { Access } from '../access/authorizer.ts';
import { forbiddenAccess } from '../access/forbidden-access.ts';
import { StreamAccess } from '../access/stream-access.ts';
import { requestAccess } from '../access/request-access.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { RequestRecord } from '../audit/request-record.ts';
import type { Call } from '../call/call.ts';
import type { Server } from '../call/server.ts';
import { TooHeavy } from '../heavy/heavy-requests.ts';
import type { FlowControl } from '../fairness/flow-control.ts';
import type { InFlightRequest } from '../limits/in-flight-request.ts';
import { TooManyRequests, tooManyRequests } from '../limits/too-many-requests.ts';
import type { RequestObserver } from '../metrics/request-observer.ts';
import type { PathHandler } from '../request/path-handler.ts';
import { hasBrokenEscape } from '../request/percent-encoding.ts';
import { requestInfo, type RequestInfo } from '../request/request-info.ts';
import { requestTimeoutMs } from '../request/request-timeout.ts';
import { errorResponse, textResponse } from '../response/respond.ts';
import { callVerb } from '../verbs/call-verb.ts';
import { liveView } from '../verbs/watching/live-view.ts';

type Answer = ApiResponse | Promise<ApiResponse>;

export interface RequestHandlerOptions {
  readonly server: Server;
  /** Answers paths that are no resource. */
  readonly handlePath: PathHandler;
  readonly flowControl: FlowControl;
  readonly observer: RequestObserver;
  readonly authorizations: AuthorizationMetrics;
  /** Absent: no request is audited. */
  readonly auditor?: Auditor | undefined;
}

/** Impersonates, authorizes and limits a request, runs its verb, and turns every error into a response. */
export class RequestHandler {
  readonly #server: Server;
  readonly #handlePath: PathHandler;
  readonly #flowControl: FlowControl;
  readonly #observer: RequestObserver;
  readonly #authorizations: AuthorizationMetrics;
  readonly #auditor: Auditor | undefined;
  readonly #impersonation: Impersonation;

  constructor({ server, handlePath, flowControl, observer, authorizations, auditor }: RequestHandlerOptions) {
    this.#server = server;
    this.#handlePath = handlePath;
    this.#flowControl = flowControl;
    this.#observer = observer;
    this.#authorizations = authorizations;
    this.#auditor = auditor;
    this.#impersonation = new Impersonation((access) => server.access.authorize(access));
  }

  handle(sent: ApiRequest): Answer {
    if (hasBrokenEscape(sent.path)) return textResponse(400, '400 Bad Request');
    const info = requestInfo(sent.method, sent.path, sent.query);
    if (!this.#auditor) return this.#observed(sent, info, undefined);
    return this.#auditor.audited(sent, info, (audit) => this.#observed(sent, info, audit));
  }

  #observed(sent: ApiRequest, info: RequestInfo, audit: RequestRecord | undefined): Answer {
    return this.#observer.observe(sent, info, () => this.#answer(sent, info, audit));
  }

  /** A view is a list that stays current: its caller must be allowed to list and to watch. */
  openView(sent: ApiRequest): LiveView | undefined {
    const server = this.#server;
    const info = requestInfo(sent.method, sent.path, sent.query);
    const { request, user } = this.#withEffectiveUser(sent, info);
    const rights = isMaster(user) ? undefined : this.#streamAccess(request, info, user);
    const refusal = rights?.refusal();
    if (refusal) throw refusal;
    const resource = info.isResource ? server.registry.find(info.group, info.version, info.resource) : undefined;
    if (!info.isResource || info.name !== '' || !resource) throw apiErrors.unknownPath();
    return liveView({ server, request, info, resource, warnings: [] }, rights);
  }

  #answer(sent: ApiRequest, info: RequestInfo, audit: RequestRecord | undefined): Answer {
    try {
      // Kubernetes refuses an invalid timeout on every request.
      requestTimeoutMs(info.query);
      const { request, user } = this.#withEffectiveUser(sent, info, audit);
      const run = (inFlight?: InFlightRequest): Answer => this.#answerUser(request, info, user, { inFlight, audit });
      return this.#flowControl.answer({ request, info, user }, run);
    } catch (error) {
      return this.#failure(sent, info, error, { warnings: [], audit });
    }
  }

  /** Never throws or rejects. */
  #answerUser(
    request: ApiRequest,
    info: RequestInfo,
    user: User,
    { inFlight, audit }: { readonly inFlight: InFlightRequest | undefined; readonly audit: RequestRecord | undefined },
  ): Answer {
    const warnings: string[] = [];
    try {
      const refusal = this.#refusalOf(user, () => requestAccess(request, info, user), audit);
      if (refusal) return refusedResponse(request, info, refusal);
      const response = info.isResource
        ? this.#answerResource({ server: this.#server, request, info, warnings, inFlight, audit })
        : this.#handlePath(request, info);
      if (!(response instanceof Promise)) return response;
      return response.catch((error: unknown) => this.#retryInWorker(request, info, error, { warnings, audit }));
    } catch (error) {
      return this.#failure(request, info, error, { warnings, audit });
    }
  }

  /** The request with its effective user: the sender, or the user that the sender impersonates. */
  #withEffectiveUser(
    sent: ApiRequest,
    info: RequestInfo,
    audit?: RequestRecord,
  ): { readonly request: ApiRequest; readonly user: User } {
    const { user: sender } = sent;
    if (sender === undefined) throw apiErrors.unauthorized();
    const impersonated = audit && ((as: User, constraint: string): void => audit.impersonate(as, constraint));
    const user = this.#impersonation.userOf(sent, sender, () => requestAccess(sent, info, sender), impersonated);
    return user === sender ? { request: sent, user } : { request: impersonatedRequest(sent, user), user };
  }

  #streamAccess(request: ApiRequest, info: RequestInfo, user: User): StreamAccess {
    const access = requestAccess(request, info, user);
    return new StreamAccess(
      this.#server.access,
      ['list', 'watch'].map((verb) => ({ ...access, verb })),
    );
  }

  /** Returns undefined if allowed. Skips the work for members of `system:masters`. */
  #refusalOf(user: User, accessOf: () => Access, audit: RequestRecord | undefined): ApiError | undefined {
    const startedAt = this.#authorizations.begin();
    if (isMaster(user)) {
      audit?.authorize(true, '');
      this.#authorizations.decided(true, startedAt);
      return undefined;
    }
    const access = accessOf();
    const decision = this.#server.access.authorize(access);
    const { isAllowed } = decision;
    this.#authorizations.decided(isAllowed, startedAt);
    // An allowed decision makes its reason when it is read.
    audit?.authorize(isAllowed, decision.reason);
    return isAllowed ? undefined : forbiddenAccess(access, decision.reason);
  }

  #answerResource(call: Omit<Call, 'resource'>): Answer {
    const { server, request, info } = call;
    const { registry } = server;
    const resource = registry.find(info.group, info.version, info.resource);
    if (resource) return callVerb({ ...call, resource });
    if (registry.isBuiltin(info.group, info.version)) throw apiErrors.unknownPath();
    return this.#handlePath(request, { isResource: false, path: request.path, query: info.query });
  }

  /** Runs a request that is too heavy for this thread in the worker. Other errors become responses. */
  #retryInWorker(request: ApiRequest, info: RequestInfo, error: unknown, notes: RequestNotes): Answer {
    if (!(error instanceof TooHeavy)) return this.#failure(request, info, error, notes);
    return error.run().catch((failure: unknown) => this.#failure(request, info, failure, notes));
  }

  /** The response to an error. */
  #failure(request: ApiRequest, info: RequestInfo, error: unknown, { warnings, audit }: RequestNotes): ApiResponse {
    if (error instanceof TooManyRequests) return tooManyRequests(error);
    if (!(error instanceof ApiError)) audit?.setPanic(errorMessage(error));
    return errorResponse(request, info.query, this.#observer.reportFault(request, error), warnings);
  }
}

/** What a request collected before it failed. */
interface RequestNotes {
  readonly warnings: readonly string[];
  readonly audit: RequestRecord | undefined;
}

function refusedResponse(request: ApiRequest, info: RequestInfo, refusal: ApiError): ApiResponse {
  const response = errorResponse(request, info.query, refusal);
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
}
