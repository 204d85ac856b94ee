import { createHash } from 'node:crypto';
import { apiErrors, apiVersionOf, type ApiRequest, type ApiResponse, type JsonObject } from '@flotilla/kube';
import { groupsOf } from '../discovery/legacy.ts';
import { clausesOf } from '../http/negotiate.ts';
import type { Query } from '../http/query.ts';
import { bytesResponse, headersFor, jsonBytes } from '../http/respond.ts';
import type { PathHandler, PathOptions } from '../paths.ts';
import type { Registry } from '../resources/registry.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3 } from './document-v3.ts';
import { encodeSwagger } from './swagger-protobuf.ts';

/** A document that is made when somebody first asks for it, and known by its hash from then on. */
interface Document {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

const year = 365 * 24 * 60 * 60 * 1000;

const v2Protobuf = [
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
];

/** Schemas of everything served: version 3 by group version, version 2 in one piece. */
export function openApi({
  registry,
  now,
}: Pick<PathOptions, 'registry' | 'now'>): (path: string) => PathHandler | undefined {
  const documents = new Map<string, () => Document>();
  for (const group of groupsOf(registry)) {
    for (const { version, resources } of group.versions) {
      const key = group.name === '' ? `api/${version}` : `apis/${apiVersionOf({ group: group.name, version })}`;
      documents.set(
        key,
        once(() => documentV3(group.name, version, resources)),
      );
    }
  }
  const index = (): JsonObject => ({
    paths: Object.fromEntries(
      [...documents].map(([key, document]) => [key, { serverRelativeURL: urlOf(key, document()) }]),
    ),
  });
  const v2 = swagger(registry);
  return (path) => {
    if (path === '/openapi/v2') return (request) => v2(request);
    if (path === '/openapi/v3') return () => bytesResponse(200, 'application/json', jsonBytes(index(), false));
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const key = path.slice('/openapi/v3/'.length);
    const document = documents.get(key);
    return document && ((request, { query }) => v3(key, document(), request, query, now));
  };
}

function once(make: () => JsonObject): () => Document {
  let made: Document | undefined;
  return () => (made ??= documentOf(jsonBytes(make(), false)));
}

function documentOf(bytes: Uint8Array): Document {
  return { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}

function urlOf(key: string, { hash }: Document): string {
  return `/openapi/v3/${key}?hash=${hash}`;
}

/** With its hash in the URL a document can be kept for ever; an outdated hash leads to the current one. */
function v3(key: string, document: Document, request: ApiRequest, query: Query, now: () => Date): ApiResponse {
  const { bytes, hash } = document;
  const asked = query.get('hash');
  if (asked !== undefined && asked !== hash) {
    return {
      status: 301,
      headers: { ...headersFor('text/html'), location: urlOf(key, document) },
      body: new Uint8Array(),
    };
  }
  const headers = {
    ...headersFor('application/json'),
    etag: `"${hash}"`,
    vary: 'Accept',
    ...(asked && { 'cache-control': 'public, immutable', expires: new Date(now().getTime() + year).toUTCString() }),
  };
  if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers, body: new Uint8Array() };
  return { status: 200, headers, body: bytes };
}

/** client-go asks for protobuf here and for nothing else. */
function swagger(registry: Registry): (request: ApiRequest) => ApiResponse {
  let document: JsonObject | undefined;
  const made = new Map<string, Document>();
  const produce = (encoding: 'json' | 'protobuf'): Document => {
    let found = made.get(encoding);
    if (!found) {
      document ??= documentV2([...registry.all()]);
      found = documentOf(encoding === 'json' ? jsonBytes(document, false) : encodeSwagger(document));
      made.set(encoding, found);
    }
    return found;
  };
  return (request) => {
    const mediaType = swaggerType(request);
    const { bytes, hash } = produce(mediaType === 'application/json' ? 'json' : 'protobuf');
    const headers = { ...headersFor(mediaType), etag: `"${hash}"`, vary: 'Accept-Encoding, Accept' };
    if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers, body: new Uint8Array() };
    return { status: 200, headers, body: bytes };
  };
}

function swaggerType({ headers }: ApiRequest): string {
  const offered = ['application/json', ...v2Protobuf];
  for (const { mediaType } of clausesOf(headers['accept'] ?? 'application/json')) {
    if (mediaType === '*/*' || mediaType === 'application/*') return 'application/json';
    if (offered.includes(mediaType)) return mediaType;
  }
  throw apiErrors.notAcceptable(offered);
}
