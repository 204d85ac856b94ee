import { apiVersionOf, type ApiRequest, type ApiResponse, type JsonObject } from '@flotilla/kube';
import { issuerPaths } from '../access/authentication/issuer-discovery.ts';
import { clausesOf } from '../request/accept-clauses.ts';
import { encodings, mediaTypes, negotiate, plainOffer, type Encoding } from '../request/negotiate.ts';
import { bytesResponse, jsonBytes, wantsPretty } from '../response/respond.ts';
import type { PathHandler } from '../request/path-handler.ts';
import type { Registry } from '../resources/registry.ts';
import { aggregatedForms, encodedDocument, type AggregatedForms } from './aggregated-forms.ts';
import { apiGroup, apiGroupList, apiResourceList, listedGroup, type Group } from './legacy.ts';
import { allGroups, oneGroup } from './remote-groups.ts';

export interface DiscoveryOptions {
  readonly registry: Registry;
  /** The server address in discovery. */
  readonly address: () => string;
}

/** Discovery: one aggregated document, or the legacy tree of small ones. */
export function discovery({ registry, address }: DiscoveryOptions): (path: string) => PathHandler | undefined {
  let lists: ReadonlyMap<string, PathHandler> = new Map();
  let changes = -1;
  return (path) => {
    if (!listPaths.has(path)) return groupOrVersionHandler(path, registry);
    if (changes !== registry.changes) {
      changes = registry.changes;
      lists = listsOf(registry, address);
    }
    return lists.get(path);
  };
}

const listPaths: ReadonlySet<string> = new Set(['/', '/api', '/apis']);

/** Most paths are no document, and those of one group or version do not need the others. */
function groupOrVersionHandler(path: string, registry: Registry): PathHandler | undefined {
  const [, root, first = '', second, extra] = path.split('/', 5);
  if (first === '' || second === '' || extra !== undefined) return undefined;
  if (root === 'api' && second === undefined) return versionHandler(listedGroup(registry, ''), first);
  if (root !== 'apis') return undefined;
  const group = oneGroup(registry, first);
  if (second !== undefined) return versionHandler(group, second);
  return group && plain(() => apiGroup(group));
}

function versionHandler(group: Group | undefined, version: string): PathHandler | undefined {
  const found = group?.versions.find((served) => served.version === version);
  if (!group || !found) return undefined;
  return plain(() => apiResourceList(apiVersionOf({ group: group.name, version }), found.resources));
}

const healthPaths = [
  '/healthz',
  '/healthz/ping',
  '/livez',
  '/livez/ping',
  '/readyz',
  '/readyz/ping',
  '/readyz/shutdown',
];
const otherPaths = [...healthPaths, ...issuerPaths, '/apis/', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];

function listsOf(registry: Registry, address: () => string): ReadonlyMap<string, PathHandler> {
  const { listed, aggregated } = allGroups(registry);
  const core = listed.filter(({ name }) => name === '');
  const isOther = ({ name }: Group): boolean => name !== '';
  return new Map([
    [
      '/api',
      withAggregated(
        () => legacyVersions(address()),
        () => aggregatedForms(core, registry),
      ),
    ],
    [
      '/apis',
      withAggregated(
        () => apiGroupList(listed.filter(isOther)),
        () => aggregatedForms(aggregated.filter(isOther), registry),
      ),
    ],
    // This list is indented JSON for any Accept header.
    ['/', () => bytesResponse(200, mediaTypes.json, jsonBytes({ paths: pathsOf(listed) }, true))],
  ]);
}

function pathsOf(groups: readonly Group[]): string[] {
  const ofGroups = groups.flatMap(({ name, versions }) => {
    const root = name === '' ? '/api' : `/apis/${name}`;
    return [root, ...versions.map(({ version }) => `${root}/${version}`)];
  });
  return [...ofGroups, '/apis', ...otherPaths].sort();
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
    const { encoding } = negotiate(request.headers['accept'], plainOffer);
    return bytesResponse(200, mediaTypes[encoding], encodedDocument(encoding, document(), wantsPretty(request, query)));
  };
}

/** Newer clients request everything at once and cache it by its ETag. */
function withAggregated(legacy: () => JsonObject, aggregated: () => AggregatedForms): PathHandler {
  let forms: AggregatedForms | undefined;
  const legacyHandler = plain(legacy);
  return (request, info) => {
    const encoding = aggregatedEncoding(request);
    if (encoding === undefined) return legacyHandler(request, info);
    forms ??= aggregated();
    const bytes = wantsPretty(request, info.query) ? forms.pretty(encoding) : forms.bytes(encoding);
    return aggregatedResponse(request, encoding, bytes, forms.etag);
  };
}

/** Undefined if the client prefers a type that is not aggregated. */
function aggregatedEncoding({ headers }: ApiRequest): Encoding | undefined {
  for (const { mediaType, parameters } of clausesOf(headers['accept'] ?? '')) {
    const encoding = mediaType === '*/*' ? 'json' : encodings.find((candidate) => mediaTypes[candidate] === mediaType);
    if (encoding === undefined) continue;
    const as = parameters.get('as');
    if (as === undefined) return undefined;
    const isV2 = parameters.get('v') === 'v2' && parameters.get('g') === 'apidiscovery.k8s.io';
    if (isV2 && as === 'APIGroupDiscoveryList') return encoding;
  }
  return undefined;
}

function aggregatedResponse(request: ApiRequest, encoding: Encoding, bytes: Uint8Array, etag: string): ApiResponse {
  const type = `${mediaTypes[encoding]};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
  const headers = { 'content-type': type, etag, vary: 'Accept', 'cache-control': 'public' };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: new Uint8Array() };
  return { status: 200, headers, body: bytes };
}
