import { randomUUID } from 'node:crypto';
import {
  ApiError,
  apiErrors,
  isMaster,
  MetricsRegistry,
  silentLogger,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  type ApiViewer,
  type LiveView,
  type Logger,
  type User,
} from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { asUser } from '../access/authentication/as-user.ts';
import { authenticator, type Authenticate } from '../access/authentication/authenticate.ts';
import { BearerTokens, type StaticToken } from '../access/authentication/bearer-tokens.ts';
import { Impersonation } from '../access/authentication/impersonation.ts';
import { markSecretUsed } from '../access/authentication/mark-secret-used.ts';
import type { SecretTokenSubject } from '../access/authentication/new-token.ts';
import {
  ServiceAccountTokens,
  type ServiceAccountTokenOptions,
} from '../access/authentication/service-account-tokens.ts';
import type { Access } from '../access/authorizer.ts';
import { forbiddenAccess } from '../access/forbidden-access.ts';
import { LastingRights } from '../access/lasting-rights.ts';
import { Rbac } from '../access/rbac/rbac.ts';
import { requestAccess } from '../access/request-access.ts';
import { RemoteApiServices } from '../api-services/remote-api-services.ts';
import type { Admission } from '../admission/admission.ts';
import { admissionSteps } from '../admission/default-admission.ts';
import { CustomApiServices } from '../custom/definitions/custom-api-services.ts';
import { Definitions } from '../custom/definitions/definitions.ts';
import { resolveByClusterIp, type ResolveService } from '../webhooks/resolve-service.ts';
import { HeavyRequests, TooHeavy } from '../heavy/heavy-requests.ts';
import type { HeavyThread } from '../heavy/heavy-thread.ts';
import {
  defaultInFlightLimits,
  InFlightLimit,
  tooManyRequests,
  workKindOf,
  type InFlightLimits,
} from '../limits/in-flight-limit.ts';
import { hasBrokenEscape } from '../request/percent-encoding.ts';
import { requestInfo, type RequestInfo } from '../request/request-info.ts';
import { requestTimeoutMs } from '../request/request-timeout.ts';
import { errorResponse, textResponse } from '../response/respond.ts';
import { callWebhook, type CallWebhook } from '../webhooks/webhook-call.ts';
import { OverLimit } from '../limits/work.ts';
import { Observed, type FailedRequest } from '../metrics/observed.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { objectMetrics, watchEventMetrics } from '../metrics/store-metrics.ts';
import { builtinCatalog } from '../resources/builtin-resources.ts';
import { Registry } from '../resources/registry.ts';
import { ServiceReservations } from '../resources/service-reservations.ts';
import type { Store } from '../store/store.ts';
import { paths } from '../endpoints/paths.ts';
import type { PathHandler } from '../request/path-handler.ts';
import { liveView } from '../verbs/watching/live-view.ts';
import { callVerb } from '../verbs/call-verb.ts';
import type { Call, Surroundings } from '../call/call.ts';

export interface ApiServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random?: () => number;
  readonly uid?: () => string;
  /** Steps after the server's own, in order (design D13). */
  readonly admission?: readonly Admission[];
  /** Names of the server's own steps that are left out, as `--disable-admission-plugins` has them. */
  readonly disabledAdmission?: readonly string[];
  /** What clients are told to connect to. */
  readonly address?: () => string;
  /** Where the server is behind its address, when it is not at the root. */
  readonly basePath?: string;
  /** Paths of our own beside Kubernetes', for administrators alone. */
  readonly adminPaths?: ReadonlyMap<string, PathHandler>;
  /** Where cluster IPs come from, an IPv4 range. */
  readonly serviceCidr?: string;
  /** How conversion webhooks are asked. */
  readonly callWebhook?: CallWebhook;
  /** Where a webhook's Service is; by its cluster IP when nothing is said. */
  readonly resolveService?: ResolveService;
  /** Tokens that were given out beforehand. */
  readonly staticTokens?: readonly StaticToken[];
  /** Who signs the tokens of service accounts. */
  readonly serviceAccountTokens?: ServiceAccountTokenOptions;
  /** Whether requests that show no credentials are let in at all; they may do little. */
  readonly allowsAnonymous?: boolean;
  /** Whether pods may have privileged containers, as `--allow-privileged` has it; they may unless something else is said. */
  readonly allowsPrivileged?: boolean;
  readonly inFlightLimits?: InFlightLimits;
  /** What is served at `/metrics`, for others to add to. */
  readonly metrics?: MetricsRegistry;
  readonly logger?: Logger;
  /** Where requests run that would hold the event loop for long; here if absent. */
  readonly heavyThread?: HeavyThread;
  /** Whether the disk takes what it is given. */
  readonly isStoreWell?: () => boolean;
}

export interface ApiServer {
  readonly handle: ApiHandler;
  /** Finds out who sends a request; what `handle` is given then. */
  readonly authenticate: Authenticate;
  /** Logs and counts an exception on the way of a request that comes from outside of `handle`. */
  readonly fault: (request: FailedRequest, error: unknown) => ApiError;
  /** Signs the token of a service account that a Secret is to hold. */
  readonly signSecretToken: (subject: SecretTokenSubject) => string;
  /** The same door for those in this process who want no bytes. */
  readonly view: ApiViewer;
  readonly surroundings: Surroundings;
  readonly serviceCidr: string;
  /** From here on `/readyz` succeeds: all that a cluster has from its first moment is there. */
  readonly started: () => void;
  /** From here on `/readyz` fails, so that nobody sends more work. */
  readonly startShutdown: () => void;
}

/** What kube-apiserver has without flags. */
const defaultServiceCidr = '10.0.0.0/24';

/** A Kubernetes API server without a socket: what it is made of, and the one door through which requests come. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { store, clock, random = Math.random, uid = randomUUID, serviceCidr = defaultServiceCidr } = options;
  const registry = new Registry(builtinCatalog());
  const metrics = options.metrics ?? new MetricsRegistry();
  objectMetrics(metrics, registry, store);
  const now = (): Date => new Date(clock.now());
  const accounts = new ServiceAccountTokens(options.serviceAccountTokens ?? {}, {
    store,
    now,
    markUsed: markSecretUsed(() => handle),
  });
  const tokens = new BearerTokens(accounts, options.staticTokens ?? []);
  const access = new Rbac(store);
  const verbServer: Surroundings = {
    store,
    registry,
    admission: admissionSteps(options.disabledAdmission, options.admission),
    tokens,
    access,
    allowsPrivileged: options.allowsPrivileged ?? true,
    impersonation: new Impersonation((asked) => access.authorize(asked)),
    now,
    random,
    uid,
    after: (milliseconds, call) => clock.after(milliseconds, call),
    services: new ServiceReservations({ store, random, cidr: serviceCidr }),
    watchEvents: watchEventMetrics(metrics),
  };
  const heavy = heavyRequests(verbServer, options);
  const surroundings: Surroundings = heavy ? { ...verbServer, heavy } : verbServer;
  let isShuttingDown = false;
  let isStarted = false;
  const atPath = paths({
    registry,
    now,
    tokens: accounts,
    address: options.address ?? (() => ''),
    basePath: options.basePath ?? '',
    isShuttingDown: () => isShuttingDown,
    isStarted: () => isStarted,
    isStoreWell: options.isStoreWell ?? (() => true),
    metrics,
    adminPaths: options.adminPaths ?? new Map(),
  });
  const limit = new InFlightLimit(options.inFlightLimits ?? defaultInFlightLimits);
  const watched = new Observed(new RequestMetrics(metrics, registry), options.logger ?? silentLogger);
  const handle: ApiHandler = (request) => answer(request, surroundings, atPath, limit, watched);
  const webhooks = {
    call: options.callWebhook ?? callWebhook,
    resolveService: options.resolveService ?? resolveByClusterIp(store),
    uid,
  };
  const definitions = new Definitions(surroundings, webhooks, new CustomApiServices(surroundings, handle));
  definitions.start();
  const remoteApiServices = new RemoteApiServices(surroundings, handle);
  remoteApiServices.start();
  return {
    surroundings,
    serviceCidr,
    handle,
    fault: (request, error) => watched.fault(request, error),
    authenticate: authenticator({ tokens, allowsAnonymous: options.allowsAnonymous ?? true }),
    signSecretToken: (subject) => accounts.signForSecret(subject),
    view: (request) => openView(request, surroundings),
    started: () => {
      isStarted = true;
    },
    startShutdown: () => {
      isShuttingDown = true;
      definitions.stop();
      remoteApiServices.stop();
      heavy?.stop();
    },
  };
}

/** Undefined where the other thread could not do what this one does: functions of a host program stay in its thread. */
function heavyRequests(server: Surroundings, options: ApiServerOptions): HeavyRequests | undefined {
  const { heavyThread: thread, admission = [], disabledAdmission = [], callWebhook: call, resolveService } = options;
  if (!thread || call || resolveService) return undefined;
  const addedAdmission = admission.map(({ name }) => name);
  if (!addedAdmission.every((name) => thread.addedAdmission.includes(name))) return undefined;
  const { allowsPrivileged } = server;
  return new HeavyRequests(thread, server, { allowsPrivileged, disabledAdmission, addedAdmission });
}

function answer(
  sent: ApiRequest,
  server: Surroundings,
  atPath: PathHandler,
  limit: InFlightLimit,
  observed: Observed,
): ApiResponse | Promise<ApiResponse> {
  if (hasBrokenEscape(sent.path)) return textResponse(400, '400 Bad Request');
  const info = requestInfo(sent.method, sent.path, sent.query);
  return observed.watch(sent, info, () => decide(sent, info, server, atPath, limit, observed));
}

function decide(
  sent: ApiRequest,
  info: RequestInfo,
  server: Surroundings,
  atPath: PathHandler,
  limit: InFlightLimit,
  observed: Observed,
): ApiResponse | Promise<ApiResponse> {
  const warnings: string[] = [];
  try {
    // Even where nothing takes long, a timeout that is none is refused.
    requestTimeoutMs(info.query);
    const { request, user } = identified(sent, info, server);
    const kind = workKindOf(request, info);
    if (kind !== undefined && limit.isFull(kind, request, user)) return tooManyRequests();
    const refusal = refusalOf(server, user, () => requestAccess(request, info, user));
    if (refusal) return refusedResponse(request, info, refusal);
    // A change begins to count when its body has come, everything else when it turns out not to be answered at once.
    const change = kind === 'changing' && info.isResource ? limit.workOf(kind, request, user) : undefined;
    const response = info.isResource
      ? answerResource({ server, request, info, warnings, work: change }, atPath)
      : atPath(request, info);
    if (!(response instanceof Promise)) return response;
    const answered = response.catch((error: unknown) => recovered(request, info, error, observed, warnings));
    if (kind !== undefined) (change ?? limit.workOf(kind, request, user).count()).endWith(answered);
    return answered;
  } catch (error) {
    return failed(sent, info, error, observed, warnings);
  }
}

/** In whose name a request is answered: its sender's, or that of somebody whom the sender may be. */
function identified(
  sent: ApiRequest,
  info: RequestInfo,
  { impersonation }: Surroundings,
): { readonly request: ApiRequest; readonly user: User } {
  const { user: sender } = sent;
  if (sender === undefined) throw apiErrors.unauthorized();
  const user = impersonation.userOf(sent, sender, () => requestAccess(sent, info, sender));
  return user === sender ? { request: sent, user } : { request: asUser(sent, user), user };
}

/** A view is a list that is kept current: whoever opens one must be allowed both. */
function openView(sent: ApiRequest, server: Surroundings): LiveView | undefined {
  const info = requestInfo(sent.method, sent.path, sent.query);
  const { request, user } = identified(sent, info, server);
  const rights = isMaster(user) ? undefined : rightsToFollow(request, info, user, server);
  const refusal = rights?.refusal();
  if (refusal) throw refusal;
  const resource = info.isResource ? server.registry.find(info.group, info.version, info.resource) : undefined;
  if (!info.isResource || info.name !== '' || !resource) throw apiErrors.unknownPath();
  return liveView({ server, request, info, resource, warnings: [] }, rights);
}

function rightsToFollow(request: ApiRequest, info: RequestInfo, user: User, { access }: Surroundings): LastingRights {
  const asked = requestAccess(request, info, user);
  return new LastingRights(
    access,
    ['list', 'watch'].map((verb) => ({ ...asked, verb })),
  );
}

/** Undefined: go on. Masters are not even asked what they want. */
function refusalOf({ access }: Surroundings, user: User, asks: () => Access): ApiError | undefined {
  if (isMaster(user)) return undefined;
  const asked = asks();
  const { isAllowed, reason } = access.authorize(asked);
  return isAllowed ? undefined : forbiddenAccess(asked, reason);
}

function refusedResponse(request: ApiRequest, info: RequestInfo, refusal: ApiError): ApiResponse {
  const response = errorResponse(request, info.query, refusal);
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
}

function answerResource(call: Omit<Call, 'resource'>, atPath: PathHandler): ApiResponse | Promise<ApiResponse> {
  const { server, request, info } = call;
  const { registry } = server;
  const resource = registry.find(info.group, info.version, info.resource);
  if (resource) return callVerb({ ...call, resource });
  if (registry.isBuiltin(info.group, info.version)) throw apiErrors.unknownPath();
  return atPath(request, { isResource: false, path: request.path, query: info.query });
}

/** Runs a request elsewhere that turned out to be too heavy; any other failure stays one. */
function recovered(
  request: ApiRequest,
  info: RequestInfo,
  error: unknown,
  observed: Observed,
  warnings: readonly string[],
): ApiResponse | Promise<ApiResponse> {
  if (!(error instanceof TooHeavy)) return failed(request, info, error, observed, warnings);
  return error.run().catch((failure: unknown) => failed(request, info, failure, observed, warnings));
}

/** Every failure ends here. */
function failed(
  request: ApiRequest,
  info: RequestInfo,
  error: unknown,
  observed: Observed,
  warnings: readonly string[],
): ApiResponse {
  if (error instanceof OverLimit) return tooManyRequests();
  return errorResponse(request, info.query, observed.fault(request, error), warnings);
}
