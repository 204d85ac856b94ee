import type { ApiRequest, ApiResponse } from '@flotilla/kube';
import { apiErrors } from '@flotilla/kube';
import { discovery } from './discovery/discovery.ts';
import { health } from './http/health.ts';
import type { PathInfo } from './http/request-info.ts';
import { bytesResponse, jsonBytes, textResponse, wantsPretty } from './http/respond.ts';
import { openApi } from './openapi/openapi.ts';
import { versionInfo } from './http/version.ts';
import type { Registry } from './resources/registry.ts';
import type { Store } from './store/store.ts';

/** Answers requests that are about no resource: discovery, health, version. */
export type PathHandler = (request: ApiRequest, info: PathInfo) => ApiResponse | Promise<ApiResponse>;

export interface PathOptions {
  readonly registry: Registry;
  readonly store: Store;
  readonly address: () => string;
  readonly now: () => Date;
  readonly isShuttingDown: () => boolean;
}

export function paths(options: PathOptions): PathHandler {
  const atDiscovery = discovery(options);
  const atHealth = health(options);
  const atOpenApi = openApi(options);
  return (request, info) => {
    const path = info.path.length > 1 && info.path.endsWith('/') ? info.path.slice(0, -1) : info.path;
    const handler =
      atDiscovery(path) ?? atHealth(path) ?? atOpenApi(path) ?? (path === '/version' ? version : undefined);
    if (!handler) return textResponse(404, '404 page not found\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') throw apiErrors.methodNotAllowed();
    return handler(request, info);
  };
}

const version: PathHandler = (request, { query }) =>
  bytesResponse(200, 'application/json', jsonBytes(versionInfo, wantsPretty(request, query)));
