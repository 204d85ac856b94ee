import { createHash } from 'node:crypto';
import { apiVersionOf, type ApiRequest, type ApiResponse, type JsonObject } from '@flotilla/kube';
import { clausesOf } from '../http/negotiate.ts';
import { bytesResponse, jsonBytes, textBytes, wantsPretty } from '../http/respond.ts';
import type { PathHandler, PathOptions } from '../paths.ts';
import type { Registry } from '../resources/registry.ts';
import { aggregatedDiscovery } from './aggregated.ts';
import { apiGroup, apiGroupList, apiResourceList, groupsOf, type Group } from './legacy.ts';

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** What is served, for clients to find out: one document for everything, or the old tree of small ones. */
export function discovery({ registry, address }: PathOptions): (path: string) => PathHandler | undefined {
  const documents = new Map<string, PathHandler>();
  let groups: readonly Group[] | undefined;
  const build = (): readonly Group[] => {
    groups ??= groupsOf(registry);
    if (documents.size === 0) addDocuments(documents, registry, groups, address);
    return groups;
  };
  return (path) => {
    if (path !== '/' && !path.startsWith('/api')) return undefined;
    build();
    return documents.get(path);
  };
}

function addDocuments(
  documents: Map<string, PathHandler>,
  registry: Registry,
  groups: readonly Group[],
  address: () => string,
): void {
  const core = groups.filter(({ name }) => name === '');
  const others = groups.filter(({ name }) => name !== '');
  documents.set(
    '/api',
    withAggregated(
      () => legacyVersions(address()),
      () => aggregatedDiscovery(core),
    ),
  );
  documents.set(
    '/apis',
    withAggregated(
      () => apiGroupList(others),
      () => aggregatedDiscovery(others),
    ),
  );
  for (const group of others)
    documents.set(
      `/apis/${group.name}`,
      plain(() => apiGroup(group)),
    );
  for (const group of groups) {
    for (const { version, resources } of group.versions) {
      const groupVersion = apiVersionOf({ group: group.name, version });
      const path = group.name === '' ? `/api/${version}` : `/apis/${groupVersion}`;
      documents.set(
        path,
        plain(() => apiResourceList(groupVersion, resources)),
      );
    }
  }
  const fixed = ['/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
  const all = [...documents.keys(), ...fixed].sort();
  documents.set(
    '/',
    plain(() => ({ paths: all })),
  );
}

function legacyVersions(serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

function plain(document: () => JsonObject): PathHandler {
  return (request, { query }) => {
    const clause = clausesOf(request.headers['accept'] ?? 'application/json')[0];
    const encoding = clause?.mediaType === 'application/yaml' ? 'yaml' : 'json';
    const bytes = textBytes(encoding, document(), wantsPretty(request, query));
    return bytesResponse(200, `application/${encoding}`, bytes);
  };
}

/** Newer clients ask for everything at once and remember it by its ETag. */
function withAggregated(legacy: () => JsonObject, aggregated: () => JsonObject): PathHandler {
  let made: { bytes: Uint8Array; etag: string } | undefined;
  const legacyHandler = plain(legacy);
  return (request, info) => {
    if (!asksForAggregated(request)) return legacyHandler(request, info);
    made ??= withEtag(aggregated());
    return aggregatedResponse(request, made.bytes, made.etag);
  };
}

function asksForAggregated({ headers }: ApiRequest): boolean {
  for (const { mediaType, parameters } of clausesOf(headers['accept'] ?? '')) {
    if (mediaType !== 'application/json' && mediaType !== '*/*' && mediaType !== 'application/*') continue;
    if (parameters.get('as') === undefined) return false;
    const isV2 = parameters.get('v') === 'v2' && parameters.get('g') === 'apidiscovery.k8s.io';
    if (isV2 && parameters.get('as') === 'APIGroupDiscoveryList') return true;
  }
  return false;
}

function withEtag(document: JsonObject): { bytes: Uint8Array; etag: string } {
  const bytes = jsonBytes(document, false);
  return { bytes, etag: `"${createHash('sha512').update(bytes).digest('hex').toUpperCase()}"` };
}

function aggregatedResponse(request: ApiRequest, bytes: Uint8Array, etag: string): ApiResponse {
  const headers = { 'content-type': aggregatedType, etag, vary: 'Accept', 'cache-control': 'public' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: new Uint8Array() };
  return { status: 200, headers, body: bytes };
}
