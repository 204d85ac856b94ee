import { apiErrors, type JsonObject, type MetricsRegistry } from '@flotilla/kube';
import { isIssuerPath, issuerDiscovery, type IssuerOptions } from '../access/authentication/issuer-discovery.ts';
import { discovery, type DiscoveryOptions } from '../discovery/discovery.ts';
import { health, type HealthOptions } from './health.ts';
import { metricsHandler, metricsPath } from './metrics-path.ts';
import type { PathHandler } from '../request/path-handler.ts';
import { withoutLastSlashes } from '../request/request-info.ts';
import { bytesResponse, jsonBytes, pageNotFound, serviceUnavailable } from '../response/respond.ts';
import { openApi, type OpenApiOptions } from '../openapi/openapi.ts';
import type { Registry } from '../resources/registry.ts';

export interface PathOptions extends DiscoveryOptions, OpenApiOptions, HealthOptions, IssuerOptions {
  readonly metrics: MetricsRegistry;
  /** Paths of kube-apiserver for debugging, guarded by RBAC. */
  readonly debugPaths: ReadonlyMap<string, PathHandler>;
  /** Paths of Flotilla, guarded by RBAC. The bootstrap policy grants them only to administrators. */
  readonly adminPaths: ReadonlyMap<string, PathHandler>;
}

/** Answers requests for paths that are no resource. */
export function paths(options: PathOptions): PathHandler {
  const atDiscovery = discovery(options);
  const atHealth = health(options);
  const atOpenApi = openApi(options);
  const atIssuer = issuerDiscovery(options);
  const exact = new Map<string, PathHandler>([
    ['/version', version],
    [metricsPath, metricsHandler(options.metrics, options.turns)],
    ...options.debugPaths,
  ]);
  return (request, info) => {
    if (isRemotePath(info.path, options.registry)) return serviceUnavailable();
    const path = routedPath(info.path);
    const handler =
      atDiscovery(path) ??
      atHealth(info.path) ??
      atOpenApi(path) ??
      exact.get(path) ??
      atIssuer(path) ??
      options.adminPaths.get(path) ??
      handlerAbove(path, options.adminPaths);
    if (!handler) {
      if (isBelowServedGroup(path, options.registry)) throw apiErrors.unknownPath();
      return pageNotFound();
    }
    if (request.method !== 'GET' && isGetOnly(path)) throw apiErrors.methodNotAllowed();
    return handler(request, info);
  };
}

/** A key with a slash at the end stands for all paths below it. */
function handlerAbove(path: string, handlers: ReadonlyMap<string, PathHandler>): PathHandler | undefined {
  for (const [key, handler] of handlers) if (key.endsWith('/') && `${path}/`.startsWith(key)) return handler;
  return undefined;
}

/** Go's router has the paths outside of groups, and ignores one slash at the end. */
function routedPath(path: string): string {
  if (path.length <= 1 || !path.endsWith('/')) return path;
  return /^\/api(?:\/|s\/[^/])/.test(path) ? withoutLastSlashes(path) : path.slice(0, -1);
}

/** Paths of aggregated APIs. Flotilla does not proxy requests, so that their servers are unavailable. */
function isRemotePath(path: string, registry: Registry): boolean {
  if (registry.remote.size === 0) return false;
  const [, root, group = '', version] = path.split('/', 4);
  return root === 'apis' && version !== undefined && registry.isRemote(group, version);
}

/** Kubernetes' router accepts only GET for its documents; Go's router ignores the method. */
function isGetOnly(path: string): boolean {
  return path === '/version' || isIssuerPath(path) || /^\/api(\/|$)|^\/apis\/[^/]+\/./.test(path);
}

/** Kubernetes' router answers below a served group, Go's elsewhere. */
function isBelowServedGroup(path: string, registry: Registry): boolean {
  const [root, second = '', third] = path.slice(1).split('/');
  if (root === 'api' || root === 'version') return true;
  return root === 'apis' && second !== '' && third !== undefined && registry.isBuiltinGroup(second);
}

/** The version that clients see; the build metadata names Flotilla. */
const kubernetesVersion = 'v1.36.4';

const versionInfo: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: `${kubernetesVersion}+flotilla`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

const version: PathHandler = () => bytesResponse(200, 'application/json', jsonBytes(versionInfo, true));
