import { randomUUID } from 'node:crypto';
import { ApiError, type ApiHandler, type ApiViewer, MetricsRegistry, silentLogger, type Logger } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { authenticator, type Authenticate } from '../access/authentication/authenticate.ts';
import { BearerTokens, type StaticToken } from '../access/authentication/bearer-tokens.ts';
import { markSecretUsed } from '../access/authentication/legacy-token.ts';
import type { SecretTokenSubject } from '../access/authentication/new-token.ts';
import {
  ServiceAccountTokens,
  type ServiceAccountTokenOptions,
} from '../access/authentication/service-account-tokens.ts';
import { Rbac } from '../access/rbac/rbac.ts';
import { RemoteApiServices } from '../api-services/remote-api-services.ts';
import type { Admission } from '../admission/admission.ts';
import { admissionSteps } from '../admission/default-admission.ts';
import { CustomApiServices } from '../custom/definitions/custom-api-services.ts';
import { Definitions } from '../custom/definitions/definitions.ts';
import { resolveByClusterIp, type ResolveService } from '../webhooks/resolve-service.ts';
import { HeavyRequests } from '../heavy/heavy-requests.ts';
import type { HeavyThread } from '../heavy/heavy-thread.ts';
import { defaultInFlightLimits, InFlightLimit, type InFlightLimits } from '../limits/in-flight-limit.ts';
import { callWebhook, type CallWebhook } from '../webhooks/webhook-call.ts';
import { Observed, type FailedRequest } from '../metrics/observed.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { objectMetrics, watchEventMetrics } from '../metrics/store-metrics.ts';
import { builtinCatalog } from '../resources/builtin-resources.ts';
import { Registry } from '../resources/registry.ts';
import { ServiceReservations } from '../resources/service-reservations.ts';
import type { Store } from '../store/store.ts';
import { paths } from '../endpoints/paths.ts';
import { RequestHandler } from './request-handler.ts';
import type { PathHandler } from '../request/path-handler.ts';
import type { Server } from '../call/server.ts';

/** What an operator or a host program chooses. A composition passes it through whole; defaults are where a value is used. */
export interface ServerOptions {
  /** Steps after the server's own, in order (design D13). */
  readonly admission?: readonly Admission[];
  /** Names of the server's own steps that are left out, as `--disable-admission-plugins` has them. */
  readonly disabledAdmission?: readonly string[];
  /** Tokens that were given out beforehand. */
  readonly staticTokens?: readonly StaticToken[];
  /** Keys and issuers of service account tokens. */
  readonly serviceAccountTokens?: ServiceAccountTokenOptions;
  /** Whether requests without credentials are let in at all, with the few rights of `system:anonymous`; default true. */
  readonly allowsAnonymous?: boolean;
  /** Whether pods may have privileged containers, as `--allow-privileged` has it; default true. */
  readonly allowsPrivileged?: boolean;
  /** Where cluster IPs come from, an IPv4 range. */
  readonly serviceCidr?: string;
  readonly inFlightLimits?: InFlightLimits;
}

export interface ApiServerOptions extends ServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Of the thread: servers that share one should be given the same. */
  readonly turns?: LoopTurns;
  /** A number in [0, 1). */
  readonly random?: () => number;
  readonly uid?: () => string;
  /** What clients are told to connect to. */
  readonly address?: () => string;
  /** Where the server is behind its address, when it is not at the root. */
  readonly basePath?: string;
  /** Paths of our own beside Kubernetes', for administrators alone. */
  readonly adminPaths?: ReadonlyMap<string, PathHandler>;
  /** How conversion webhooks are asked. */
  readonly callWebhook?: CallWebhook;
  /** Where a webhook's Service is; by its cluster IP when nothing is said. */
  readonly resolveService?: ResolveService;
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
  /** What the server is made of, for the program that starts it. */
  readonly parts: Server;
  readonly serviceCidr: string;
  /** From here on `/readyz` succeeds: all that a cluster has from its first moment is there. */
  readonly started: () => void;
  /** Ends the server's own work. From here on `/readyz` fails; requests are still answered, until the listener closes. */
  readonly stop: () => void;
}

/** What kube-apiserver has without flags. */
const defaultServiceCidr = '10.0.0.0/24';

/** A Kubernetes API server without a socket: what it is made of, and the one door through which requests come. */
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
  const tokens = new BearerTokens(accounts, options.staticTokens ?? []);
  const access = new Rbac(store);
  const verbServer: Server = {
    store,
    registry,
    admission: admissionSteps(options.disabledAdmission, options.admission),
    tokens,
    access,
    allowsPrivileged: options.allowsPrivileged ?? true,
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
  const atPath = paths({
    registry,
    now,
    turns,
    tokens: accounts,
    address: options.address ?? (() => ''),
    basePath: options.basePath ?? '',
    isStopping: () => isStopping,
    isStarted: () => isStarted,
    isStoreWell: options.isStoreWell ?? (() => true),
    metrics,
    adminPaths: options.adminPaths ?? new Map(),
  });
  const limit = new InFlightLimit(options.inFlightLimits ?? defaultInFlightLimits);
  const observed = new Observed(new RequestMetrics(metrics, registry), options.logger ?? silentLogger);
  const handler = new RequestHandler({ server, atPath, limit, observed });
  const handle: ApiHandler = (request) => handler.handle(request);
  const webhooks = {
    call: options.callWebhook ?? callWebhook,
    resolveService: options.resolveService ?? resolveByClusterIp(store),
    uid,
  };
  const definitions = new Definitions(server, webhooks, new CustomApiServices(server, handle));
  definitions.start();
  const remoteApiServices = new RemoteApiServices(server, handle);
  remoteApiServices.start();
  return {
    parts: server,
    serviceCidr,
    handle,
    fault: (request, error) => observed.fault(request, error),
    authenticate: authenticator({ tokens, allowsAnonymous: options.allowsAnonymous ?? true }),
    signSecretToken: (subject) => accounts.signForSecret(subject),
    view: (request) => handler.openView(request),
    started: () => {
      isStarted = true;
    },
    stop: () => {
      isStopping = true;
      definitions.stop();
      remoteApiServices.stop();
      heavy?.stop();
    },
  };
}

/** Undefined where the other thread could not do what this one does: functions of a host program stay in its thread. */
function heavyRequests(server: Server, options: ApiServerOptions): HeavyRequests | undefined {
  const { heavyThread: thread, admission = [], disabledAdmission = [], callWebhook: call, resolveService } = options;
  if (!thread || call || resolveService) return undefined;
  const addedAdmission = admission.map(({ name }) => name);
  if (!addedAdmission.every((name) => thread.addedAdmission.includes(name))) return undefined;
  const { allowsPrivileged } = server;
  return new HeavyRequests(thread, server, { allowsPrivileged, disabledAdmission, addedAdmission });
}
