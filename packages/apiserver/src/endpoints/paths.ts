import type { MetricsRegistry } from '@flotilla/kube';
import { apiErrors } from '@flotilla/kube';
import { isIssuerPath, issuerDiscovery, type IssuerOptions } from '../access/authentication/issuer-discovery.ts';
import { discovery, type DiscoveryOptions } from '../discovery/discovery.ts';
import { health, type HealthOptions } from './health.ts';
import { metricsHandler, metricsPath } from './metrics-path.ts';
import type { PathHandler } from '../request/path-handler.ts';
import { withoutLastSlashes } from '../request/request-info.ts';
import { bytesResponse, jsonBytes, pageNotFound, serviceUnavailable } from '../response/respond.ts';
import { openApi, type OpenApiOptions } from '../openapi/openapi.ts';
import { versionInfo } from './version.ts';
import type { Registry } from '../resources/registry.ts';

export interface PathOptions extends DiscoveryOptions, OpenApiOptions, HealthOptions, IssuerOptions {
  readonly metrics: MetricsRegistry;
  /** Paths of our own beside Kubernetes'. RBAC guards them; bootstrap policy names them to administrators alone. */
  readonly adminPaths: ReadonlyMap<string, PathHandler>;
}

/** Answers requests that are about no resource. */
export function paths(options: PathOptions): PathHandler {
  const atDiscovery = discovery(options);
  const atHealth = health(options);
  const atOpenApi = openApi(options);
  const atIssuer = issuerDiscovery(options);
  const exact = new Map<string, PathHandler>([
    ['/version', version],
    [metricsPath, metricsHandler(options.metrics, options.turns)],
  ]);
  return (request, info) => {
    if (isOfOtherServer(info.path, options.registry)) return serviceUnavailable();
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

/** No request is sent on to another server, so that none is available. */
function isOfOtherServer(path: string, registry: Registry): boolean {
  if (registry.remote.size === 0) return false;
  const [, root, group = '', version] = path.split('/', 4);
  return root === 'apis' && version !== undefined && registry.isRemote(group, version);
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
