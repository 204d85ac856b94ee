import {
  apiErrors,
  isMaster,
  type ApiError,
  type ApiRequest,
  type ApiResponse,
  type LiveView,
  type User,
} from '@flotilla/kube';
import { impersonatedRequest, Impersonation } from '../access/authentication/impersonation.ts';
import type { Access } from '../access/authorizer.ts';
import { forbiddenAccess } from '../access/forbidden-access.ts';
import { StreamAccess } from '../access/stream-access.ts';
import { requestAccess } from '../access/request-access.ts';
import type { Call } from '../call/call.ts';
import type { Server } from '../call/server.ts';
import { TooHeavy } from '../heavy/heavy-requests.ts';
import { tooManyRequests, workKindOf, type InFlightLimit } from '../limits/in-flight-limit.ts';
import { OverLimit } from '../limits/work.ts';
import type { Observed } from '../metrics/observed.ts';
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
  /** Answers what is about no resource. */
  readonly atPath: PathHandler;
  readonly limit: InFlightLimit;
  readonly observed: Observed;
}

/** The way of a request from its sender to its verb, and of every failure back to the client. */
export class RequestHandler {
  readonly #server: Server;
  readonly #atPath: PathHandler;
  readonly #limit: InFlightLimit;
  readonly #observed: Observed;
  readonly #impersonation: Impersonation;

  constructor({ server, atPath, limit, observed }: RequestHandlerOptions) {
    this.#server = server;
    this.#atPath = atPath;
    this.#limit = limit;
    this.#observed = observed;
    this.#impersonation = new Impersonation((asked) => server.access.authorize(asked));
  }

  handle(sent: ApiRequest): Answer {
    if (hasBrokenEscape(sent.path)) return textResponse(400, '400 Bad Request');
    const info = requestInfo(sent.method, sent.path, sent.query);
    return this.#observed.watch(sent, info, () => this.#answer(sent, info));
  }

  /** A view is a list that is kept current: its caller must be allowed both to list and to watch. */
  openView(sent: ApiRequest): LiveView | undefined {
    const server = this.#server;
    const info = requestInfo(sent.method, sent.path, sent.query);
    const { request, user } = this.#identified(sent, info);
    const rights = isMaster(user) ? undefined : this.#streamAccess(request, info, user);
    const refusal = rights?.refusal();
    if (refusal) throw refusal;
    const resource = info.isResource ? server.registry.find(info.group, info.version, info.resource) : undefined;
    if (!info.isResource || info.name !== '' || !resource) throw apiErrors.unknownPath();
    return liveView({ server, request, info, resource, warnings: [] }, rights);
  }

  #answer(sent: ApiRequest, info: RequestInfo): Answer {
    const limit = this.#limit;
    const warnings: string[] = [];
    try {
      // Even where nothing takes long, a timeout that is none is refused.
      requestTimeoutMs(info.query);
      const { request, user } = this.#identified(sent, info);
      const kind = workKindOf(request, info);
      if (kind !== undefined && limit.isFull(kind, request, user)) return tooManyRequests();
      const refusal = this.#refusalOf(user, () => requestAccess(request, info, user));
      if (refusal) return refusedResponse(request, info, refusal);
      // A change begins to count when its body has come, everything else when it turns out not to be answered at once.
      const change = kind === 'changing' && info.isResource ? limit.workOf(kind, request, user) : undefined;
      const response = info.isResource
        ? this.#answerResource({ server: this.#server, request, info, warnings, work: change })
        : this.#atPath(request, info);
      if (!(response instanceof Promise)) return response;
      const answered = response.catch((error: unknown) => this.#recovered(request, info, error, warnings));
      if (kind !== undefined) (change ?? limit.workOf(kind, request, user).count()).endWith(answered);
      return answered;
    } catch (error) {
      return this.#failed(sent, info, error, warnings);
    }
  }

  /** In whose name a request is answered: its sender's, or that of the user whom the sender impersonates. */
  #identified(sent: ApiRequest, info: RequestInfo): { readonly request: ApiRequest; readonly user: User } {
    const { user: sender } = sent;
    if (sender === undefined) throw apiErrors.unauthorized();
    const user = this.#impersonation.userOf(sent, sender, () => requestAccess(sent, info, sender));
    return user === sender ? { request: sent, user } : { request: impersonatedRequest(sent, user), user };
  }

  #streamAccess(request: ApiRequest, info: RequestInfo, user: User): StreamAccess {
    const asked = requestAccess(request, info, user);
    return new StreamAccess(
      this.#server.access,
      ['list', 'watch'].map((verb) => ({ ...asked, verb })),
    );
  }

  /** Undefined: go on. What masters ask for is not even worked out. */
  #refusalOf(user: User, asks: () => Access): ApiError | undefined {
    if (isMaster(user)) return undefined;
    const asked = asks();
    const { isAllowed, reason } = this.#server.access.authorize(asked);
    return isAllowed ? undefined : forbiddenAccess(asked, reason);
  }

  #answerResource(call: Omit<Call, 'resource'>): Answer {
    const { server, request, info } = call;
    const { registry } = server;
    const resource = registry.find(info.group, info.version, info.resource);
    if (resource) return callVerb({ ...call, resource });
    if (registry.isBuiltin(info.group, info.version)) throw apiErrors.unknownPath();
    return this.#atPath(request, { isResource: false, path: request.path, query: info.query });
  }

  /** Runs a request elsewhere that turned out to be too heavy; any other failure stays one. */
  #recovered(request: ApiRequest, info: RequestInfo, error: unknown, warnings: readonly string[]): Answer {
    if (!(error instanceof TooHeavy)) return this.#failed(request, info, error, warnings);
    return error.run().catch((failure: unknown) => this.#failed(request, info, failure, warnings));
  }

  /** Every failure ends here. */
  #failed(request: ApiRequest, info: RequestInfo, error: unknown, warnings: readonly string[]): ApiResponse {
    if (error instanceof OverLimit) return tooManyRequests();
    return errorResponse(request, info.query, this.#observed.fault(request, error), warnings);
  }
}

function refusedResponse(request: ApiRequest, info: RequestInfo, refusal: ApiError): ApiResponse {
  const response = errorResponse(request, info.query, refusal);
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
}
