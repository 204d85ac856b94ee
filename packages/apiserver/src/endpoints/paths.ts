import type { ApiRequest, ApiResponse, MetricsRegistry } from '@flotilla/kube';
import { apiErrors } from '@flotilla/kube';
import { isIssuerPath, issuerDiscovery } from '../access/authentication/issuer-discovery.ts';
import type { ServiceAccountTokens } from '../access/authentication/service-account-tokens.ts';
import { discovery } from '../discovery/discovery.ts';
import { health } from './health.ts';
import { metricsHandler, metricsPath } from './metrics-path.ts';
import { withoutLastSlashes, type PathInfo } from '../request/request-info.ts';
import { bytesResponse, jsonBytes, pageNotFound } from '../response/respond.ts';
import { openApi } from '../openapi/openapi.ts';
import { versionInfo } from './version.ts';
import type { Registry } from '../resources/registry.ts';
import type { Store } from '../store/store.ts';

/** Answers requests that are about no resource: discovery, health, version. */
export type PathHandler = (request: ApiRequest, info: PathInfo) => ApiResponse | Promise<ApiResponse>;

export interface PathOptions {
  readonly registry: Registry;
  readonly store: Store;
  readonly address: () => string;
  /** What clients of the listener put before every path; empty where the server is at its root. */
  readonly basePath: string;
  readonly now: () => Date;
  readonly tokens: ServiceAccountTokens;
  readonly isShuttingDown: () => boolean;
  readonly isStarted: () => boolean;
  readonly isStoreWell: () => boolean;
  readonly metrics: MetricsRegistry;
  /** Paths of our own beside Kubernetes', for those whom a role names them to: administrators alone, at first. */
  readonly adminPaths: ReadonlyMap<string, PathHandler>;
}

export function paths(options: PathOptions): PathHandler {
  const atDiscovery = discovery(options);
  const atHealth = health(options);
  const atOpenApi = openApi(options);
  const atIssuer = issuerDiscovery(options);
  const exact = new Map<string, PathHandler>([
    ['/version', version],
    [metricsPath, metricsHandler(options.metrics)],
  ]);
  return (request, info) => {
    const path = routedPath(info.path);
    const handler =
      atDiscovery(path) ??
      atHealth(info.path) ??
      atOpenApi(path) ??
      exact.get(path) ??
      atIssuer(path) ??
      options.adminPaths.get(path);
    if (!handler) {
      if (isBelowService(path, options.registry)) throw apiErrors.unknownPath();
      return pageNotFound();
    }
    if (request.method !== 'GET' && hasOnlyGet(path)) throw apiErrors.methodNotAllowed();
    return handler(request, info);
  };
}

/** Go's router, which has the paths that are not below a group, takes one slash at the end. */
function routedPath(path: string): string {
  if (path.length <= 1 || !path.endsWith('/')) return path;
  return /^\/api(?:\/|s\/[^/])/.test(path) ? withoutLastSlashes(path) : path.slice(0, -1);
}

/** Documents of Kubernetes' router are only got; those of Go's do not look at the method. */
function hasOnlyGet(path: string): boolean {
  return path === '/version' || isIssuerPath(path) || /^\/api(\/|$)|^\/apis\/[^/]+\/./.test(path);
}

/** Below a group that is served Kubernetes' router answers, elsewhere Go's. */
function isBelowService(path: string, registry: Registry): boolean {
  const [root, second = '', third] = path.slice(1).split('/');
  if (root === 'api' || root === 'version') return true;
  return root === 'apis' && second !== '' && third !== undefined && registry.isBuiltinGroup(second);
}

const version: PathHandler = () => bytesResponse(200, 'application/json', jsonBytes(versionInfo, true));
