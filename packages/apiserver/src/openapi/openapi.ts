import type { ApiRequest, ApiResponse, JsonObject, ResponseHeaders } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { clausesOf } from '../request/accept-clauses.ts';
import type { Query } from '../request/query.ts';
import { headersFor } from '../response/respond.ts';
import type { PathHandler } from '../request/path-handler.ts';
import type { Registry } from '../resources/registry.ts';
import type { Document } from './document.ts';
import { DocumentsV3 } from './documents-v3.ts';
import { Swagger } from './swagger.ts';

const yearMs = 365 * 24 * 60 * 60 * 1000;
const noBytes = new Uint8Array();

export interface OpenApiOptions {
  readonly registry: Registry;
  readonly now: () => Date;
  readonly turns: LoopTurns;
  /** The prefix of every path for clients of the listener; empty at the root. */
  readonly basePath: string;
}

/** Serves the OpenAPI documents: version 3 by group version, version 2 as a whole. */
export function openApi({ registry, now, turns, basePath }: OpenApiOptions): (path: string) => PathHandler | undefined {
  const documents = new DocumentsV3(registry);
  const swagger = new Swagger(registry, turns);
  return (path) => {
    if (path === '/openapi/v2') return (request) => v2(swagger, request);
    if (path === '/openapi/v3') return () => index(documents.all(), basePath, turns);
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const key = path.slice('/openapi/v3/'.length);
    const document = documents.get(key);
    if (!document) return () => ({ status: 404, headers: { 'cache-control': 'no-cache, private' }, body: noBytes });
    return (request, { query }) => v3({ path: `${basePath}${path}`, document, now, turns }, request, query);
  };
}

/** Needs only hashes: builds no document except those whose hash is that of their bytes. */
async function index(
  documents: ReadonlyMap<string, Document>,
  basePath: string,
  turns: LoopTurns,
): Promise<ApiResponse> {
  const paths: JsonObject = {};
  for (const [key, { hash }] of documents) {
    paths[key] = { serverRelativeURL: urlOf(`${basePath}/openapi/v3/${key}`, await hash(turns)) };
  }
  return {
    status: 200,
    headers: headersFor('text/plain; charset=utf-8'),
    body: Buffer.from(JSON.stringify({ paths })),
  };
}

function urlOf(path: string, hash: string): string {
  return `${path}?hash=${hash}`;
}

interface Served {
  /** The path that clients of the listener use. */
  readonly path: string;
  readonly document: Document;
  readonly now: () => Date;
  readonly turns: LoopTurns;
}

const documentProtobuf = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';

/** By requested media type, as for version 2. */
const documentTypes = [
  ['application/json', 'application/json'],
  [documentProtobuf, documentProtobuf],
  ['application/com.github.proto-openapi.spec.v3@v1.0+protobuf', documentProtobuf],
] as const;

/** A document whose hash is in the URL is immutable. An outdated hash redirects to the current one. */
async function v3({ path, document, now, turns }: Served, request: ApiRequest, query: Query): Promise<ApiResponse> {
  const mediaType = chosenType(request, documentTypes);
  if (mediaType === undefined) return notAcceptable('Accept');
  const bytes = (): Promise<Uint8Array> =>
    mediaType === documentProtobuf ? document.protobuf(turns) : document.bytes(turns);
  const hash = await document.hash(turns);
  const headers = { ...headersFor(mediaType), etag: `"${hash}"`, vary: 'Accept' };
  const requestedHash = query.get('hash') ?? '';
  if (requestedHash === '') return respondUnlessCached(request, headers, bytes);
  if (requestedHash !== hash)
    return { status: 301, headers: { ...headers, location: urlOf(path, hash) }, body: noBytes };
  const expires = new Date(now().getTime() + yearMs).toUTCString().replace('GMT', 'UTC');
  return respondUnlessCached(request, { ...headers, 'cache-control': 'public, immutable', expires }, bytes);
}

async function respondUnlessCached(
  request: ApiRequest,
  headers: ResponseHeaders,
  bytes: () => Promise<Uint8Array>,
): Promise<ApiResponse> {
  if (request.headers['if-none-match'] !== headers['etag']) return { status: 200, headers, body: await bytes() };
  const { 'content-type': _none, ...rest } = headers;
  return { status: 304, headers: rest, body: noBytes };
}

const swaggerProtobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** By requested media type: client-go still uses a name for protobuf that is not a valid media type. */
const swaggerTypes = [
  ['application/json', 'application/json'],
  [swaggerProtobuf, swaggerProtobuf],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', swaggerProtobuf],
] as const;

async function v2(swagger: Swagger, request: ApiRequest): Promise<ApiResponse> {
  const mediaType = chosenType(request, swaggerTypes);
  if (mediaType === undefined) return notAcceptable('Accept-Encoding, Accept');
  const hash = await swagger.hash();
  const headers = { ...headersFor(mediaType), etag: `"${hash}"`, vary: 'Accept-Encoding, Accept' };
  const isJson = mediaType === 'application/json';
  return respondUnlessCached(request, headers, () => (isJson ? swagger.json() : swagger.protobuf()));
}

function chosenType({ headers }: ApiRequest, offers: readonly (readonly [string, string])[]): string | undefined {
  for (const { mediaType } of clausesOf(headers['accept'] || '*/*')) {
    if (mediaType === '*/*' || mediaType === 'application/*') return offers[0]?.[1];
    const offer = offers.find(([requested]) => requested === mediaType);
    if (offer) return offer[1];
  }
  return undefined;
}

function notAcceptable(vary: string): ApiResponse {
  return { status: 406, headers: { 'cache-control': 'no-cache, private', vary }, body: noBytes };
}
