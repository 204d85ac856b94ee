import { randomUUID } from 'node:crypto';
import {
  ApiError,
  type ApiHandler,
  type ApiViewer,
  type BuiltinsView,
  MetricsRegistry,
  silentLogger,
  type Logger,
} from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { AuthenticationMetrics } from '../access/authentication/authentication-metrics.ts';
import { TokenCacheMetrics } from '../access/authentication/token-cache-metrics.ts';
import { AuthorizationMetrics } from '../access/authorization-metrics.ts';
import { authenticator, type Authenticate } from '../access/authentication/authenticate.ts';
import { BearerTokens, type StaticToken } from '../access/authentication/bearer-tokens.ts';
import { markSecretUsed } from '../access/authentication/legacy-token.ts';
import type { SecretTokenSubject } from '../access/authentication/new-token.ts';
import {
  ServiceAccountTokens,
  type ServiceAccountTokenOptions,
} from '../access/authentication/service-account-tokens.ts';
import { getDocument, type GetDocument } from '../access/authentication/oidc/https-get.ts';
import { IssuedTokens, type AuthenticationOptions } from '../access/authentication/oidc/issued-tokens.ts';
import { Rbac } from '../access/rbac/rbac.ts';
import { Auditor, type AuditOptions } from '../audit/auditor.ts';
import { RemoteApiServices } from '../api-services/remote-api-services.ts';
import type { Admission } from '../admission/admission.ts';
import { objectsInNamespaces } from '../admission/objects-in-namespaces.ts';
import { admissionPlugins } from '../admission/default-admission.ts';
import { AdmissionWebhooks } from '../admission/webhooks/admission-webhooks.ts';
import { admissionObserver } from '../admission/metrics/admission-observer.ts';
import { AdmissionTimes } from '../admission/metrics/phase-times.ts';
import { CustomApiServices } from '../custom/definitions/custom-api-services.ts';
import { Definitions } from '../custom/definitions/definitions.ts';
import { mainThreadParts, workerParts } from '../webhooks/answer-parts.ts';
import { resolveInStore, type ResolveService } from '../webhooks/resolve-service.ts';
import { HeavyRequests } from '../heavy/heavy-requests.ts';
import type { HeavyThread } from '../heavy/heavy-thread.ts';
import { FlowControl, type InFlightLimits } from '../fairness/flow-control.ts';
import type { CallWebhook } from '../webhooks/webhook-call.ts';
import { ownServerCalls, routeCalls } from '../webhooks/own-server.ts';
import { WebhookClient } from '../webhooks/webhook-client.ts';
import { RequestObserver, type FailedRequest } from '../metrics/request-observer.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { objectMetrics, watchEventMetrics } from '../metrics/store-metrics.ts';
import { builtinCatalog } from '../resources/builtin-resources.ts';
import { Registry } from '../resources/registry.ts';
import { ServiceReservations } from '../resources/service-reservations.ts';
import type { Store } from '../store/store.ts';
import { paths } from '../endpoints/paths.ts';
import { RequestHandler } from './request-handler.ts';
import type { PathHandler } from '../request/path-handler.ts';
import type { Kubelets, Server } from '../call/server.ts';
import { StoreBuiltinsView } from '../verbs/watching/builtins-view.ts';

/** Settings of an operator or a host program. Callers pass them on as a whole; defaults are where a value is used. */
export interface ServerOptions {
  /** Admission plugins to run with the webhooks, in order (design D13). */
  readonly admission?: readonly Admission[];
  /** Names of the server's own plugins to disable, as in `--disable-admission-plugins`. */
  readonly disabledAdmission?: readonly string[];
  /** Tokens with fixed users, as in `--token-auth-file`. */
  readonly staticTokens?: readonly StaticToken[];
  /** Keys and issuers of service account tokens. */
  readonly serviceAccountTokens?: ServiceAccountTokenOptions;
  /** Whether requests without credentials are served as `system:anonymous`; default true. */
  readonly allowsAnonymous?: boolean;
  /** Issuers of users' tokens, as in `--authentication-config` and `--oidc-*`. */
  readonly authentication?: AuthenticationOptions;
  /** Whether pods may have privileged containers, as in `--allow-privileged`; default true. */
  readonly allowsPrivileged?: boolean;
  /** Answers instead of the nodes' kubelets, if they are simulated. Without it, connections to them are refused. */
  readonly kubelets?: Kubelets | undefined;
  /** The IPv4 range of cluster IPs. */
  readonly serviceCidr?: string;
  readonly inFlightLimits?: InFlightLimits;
  /** Which requests are recorded, and where. Absent: none. */
  readonly audit?: AuditOptions;
}

export interface ApiServerOptions extends ServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** One for each thread: servers in the same thread should share it. */
  readonly turns?: LoopTurns;
  /** A number in [0, 1). */
  readonly random?: () => number;
  readonly uid?: () => string;
  /** The address that discovery tells clients to use. */
  readonly address?: () => string;
  /** The path prefix of the server, if it is not served at the root. */
  readonly basePath?: string;
  /** Flotilla's own paths, for administrators only. */
  readonly adminPaths?: ReadonlyMap<string, PathHandler>;
  /** Calls admission and conversion webhooks. */
  readonly callWebhook?: CallWebhook;
  /** Gets the documents of token issuers. */
  readonly getDocument?: GetDocument;
  /** Resolves the Service of a webhook to an address; by default one of its endpoints. */
  readonly resolveService?: ResolveService;
  /** The registry behind `/metrics`, to which other packages add theirs. */
  readonly metrics?: MetricsRegistry;
  readonly logger?: Logger;
  /** Runs requests that would block the event loop for long; without it they run in this thread. */
  readonly heavyThread?: HeavyThread;
  /** Whether writes reach the disk. */
  readonly isStoreHealthy?: () => boolean;
}

export interface ApiServer {
  readonly handle: ApiHandler;
  /** Authenticates a request. Callers must do that before `handle`. */
  readonly authenticate: Authenticate;
  /** Logs and counts an exception that a request raised outside of `handle`. */
  readonly reportFault: (request: FailedRequest, error: unknown) => ApiError;
  /** Signs a service account token for a Secret of type `kubernetes.io/service-account-token`. */
  readonly signSecretToken: (subject: SecretTokenSubject) => string;
  /** Opens a view for callers in this process, without encoding objects. */
  readonly view: ApiViewer;
  /** The same for all built-in kinds together. Checks no rights. */
  readonly viewBuiltins: () => BuiltinsView;
  /** The dependencies of the verbs, for the program that starts the server. */
  readonly parts: Server;
  readonly serviceCidr: string;
  /** Call once the bootstrap objects exist. `/readyz` succeeds from then on. */
  readonly markStarted: () => void;
  /** Stops background work. `/readyz` fails from then on; requests are answered until the listener closes. */
  readonly stop: () => void;
  /** Writes the audit events that are buffered. Call it after the last request. */
  readonly flushAudit: () => Promise<void>;
}

/** The default of kube-apiserver. */
const defaultServiceCidr = '10.0.0.0/24';

/** Creates a Kubernetes API server without a socket. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { store, clock, random = Math.random, uid = randomUUID, serviceCidr = defaultServiceCidr } = options;
  const turns = options.turns ?? new LoopTurns();
  const registry = new Registry(builtinCatalog());
  const metrics = options.metrics ?? new MetricsRegistry();
  objectMetrics(metrics, registry, store);
  const now = (): Date => new Date(clock.now());
  const accounts = new ServiceAccountTokens(options.serviceAccountTokens ?? {}, {
    store,
    now,
    markUsed: markSecretUsed(() => handle),
  });
  const logger = options.logger ?? silentLogger;
  const { authentication } = options;
  const issued =
    authentication &&
    new IssuedTokens(authentication, {
      clock,
      logger,
      metrics,
      get: options.getDocument ?? getDocument,
      ownIssuers: accounts.issuers,
    });
  const tokens = new BearerTokens(accounts, options.staticTokens ?? [], new TokenCacheMetrics(metrics), issued);
  const access = new Rbac(store);
  const client = new WebhookClient();
  const callOwnServer = ownServerCalls((request) => handle(request));
  const caller = {
    call: routeCalls(callOwnServer, options.callWebhook ?? client.call),
    resolveService: options.resolveService ?? resolveInStore(store, random),
    uid,
    maxAnswerParts: mainThreadParts,
  };
  const admissionObservations = admissionObserver(metrics);
  const admissionTimes = new AdmissionTimes(admissionObservations.ran);
  metrics.beforeScrape(() => admissionTimes.flush());
  const verbServer: Server = {
    store,
    registry,
    ...objectsInNamespaces(store),
    admission: admissionPlugins(options.disabledAdmission, options.admission),
    admissionTimes,
    observer: admissionObservations,
    findKind: (gvk) => registry.findKind(gvk),
    tokens,
    access,
    webhooks: new AdmissionWebhooks({ store, callOwnServer, ...caller }),
    allowsPrivileged: options.allowsPrivileged ?? true,
    kubelets: options.kubelets,
    now,
    random,
    uid,
    after: (milliseconds, call) => clock.after(milliseconds, call),
    turns,
    services: new ServiceReservations({ store, random, cidr: serviceCidr }),
    watchEvents: watchEventMetrics(metrics),
  };
  const heavy = heavyRequests(verbServer, options);
  const server: Server = heavy ? { ...verbServer, heavy } : verbServer;
  let isStopping = false;
  let isStarted = false;
  const handle: ApiHandler = (request) => handler.handle(request);
  const flowControl = new FlowControl({
    store,
    clock,
    turns,
    metrics,
    handle,
    logger,
    findResource: (group, version, plural) => registry.find(group, version, plural),
    inFlightLimits: options.inFlightLimits,
  });
  const handlePath = paths({
    registry,
    now,
    turns,
    tokens: accounts,
    address: options.address ?? (() => ''),
    basePath: options.basePath ?? '',
    isStopping: () => isStopping,
    isStarted: () => isStarted,
    isStoreHealthy: options.isStoreHealthy ?? (() => true),
    metrics,
    debugPaths: flowControl.paths(),
    adminPaths: options.adminPaths ?? new Map(),
  });
  const observer = new RequestObserver(new RequestMetrics(metrics, registry), logger);
  const auditor = options.audit && new Auditor(options.audit, { clock, random, uid, metrics, logger });
  const authorizations = new AuthorizationMetrics(metrics, () => access.allowedCount);
  const handler = new RequestHandler({ server, handlePath, flowControl, observer, authorizations, auditor });
  // A conversion answers with several objects. What is too large for this thread, the worker converts.
  const converter = { ...caller, maxAnswerParts: heavy ? 2 * mainThreadParts : workerParts };
  const definitions = new Definitions(server, converter, new CustomApiServices(server, handle));
  definitions.start();
  const remoteApiServices = new RemoteApiServices(server, handle);
  remoteApiServices.start();
  return {
    parts: server,
    serviceCidr,
    handle,
    reportFault: (request, error) => observer.reportFault(request, error),
    authenticate: new AuthenticationMetrics(metrics).observed(authenticator({ tokens, ...anonymousAccess(options) })),
    signSecretToken: (subject) => accounts.signForSecret(subject),
    view: (request) => handler.openView(request),
    viewBuiltins: () => new StoreBuiltinsView(server),
    flushAudit: async () => auditor?.stop(),
    markStarted: () => {
      if (isStarted || isStopping) return;
      isStarted = true;
      flowControl.start();
    },
    stop: () => {
      isStopping = true;
      definitions.stop();
      remoteApiServices.stop();
      flowControl.stop();
      heavy?.stop();
      client.close();
      issued?.stop();
    },
  };
}

/** What the authentication configuration says counts more than the option. */
function anonymousAccess({ authentication, allowsAnonymous = true }: ApiServerOptions): {
  readonly allowsAnonymous: boolean;
  readonly anonymousPaths: ReadonlySet<string> | undefined;
} {
  const { anonymous } = authentication?.configuration ?? {};
  if (!anonymous) return { allowsAnonymous, anonymousPaths: undefined };
  const paths = anonymous.conditions.map(({ path }) => path);
  return { allowsAnonymous: anonymous.enabled, anonymousPaths: paths.length > 0 ? new Set(paths) : undefined };
}

/** Returns undefined if the worker could not do the same: functions of the host program cannot be sent to it. */
function heavyRequests(server: Server, options: ApiServerOptions): HeavyRequests | undefined {
  const { heavyThread: thread, admission = [], disabledAdmission = [], callWebhook: call, resolveService } = options;
  if (!thread || call || resolveService) return undefined;
  const addedAdmission = admission.map(({ name }) => name);
  if (!addedAdmission.every((name) => thread.addedAdmission.includes(name))) return undefined;
  const { allowsPrivileged } = server;
  return new HeavyRequests(thread, server, { allowsPrivileged, disabledAdmission, addedAdmission });
}
