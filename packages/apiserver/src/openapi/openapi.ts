import { createHash } from 'node:crypto';
import { apiVersionOf, type ApiRequest, type ApiResponse, type JsonObject, type ResponseHeaders } from '@flotilla/kube';
import { groupsOf, type Group } from '../discovery/legacy.ts';
import { clausesOf } from '../http/accept-clauses.ts';
import type { Query } from '../http/query.ts';
import { headersFor } from '../http/respond.ts';
import type { PathHandler, PathOptions } from '../paths.ts';
import type { Registry } from '../resources/registry.ts';
import { discoveryPaths } from './discovery-paths.ts';
import { documentV2 } from './document-v2.ts';
import { groupVersionDocument, rootDocument } from './document-v3.ts';
import { inSteps, nextTurn, type Steps } from './in-steps.ts';
import { encodeSwagger } from './swagger-protobuf.ts';

/** A document that is made when somebody first asks for it, and known by its hash from then on. */
interface Document {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

type MakeDocument = () => Promise<Document>;

const yearMs = 365 * 24 * 60 * 60 * 1000;
const nothing = new Uint8Array();

/** Schemas of everything served: version 3 by group version, version 2 in one piece. */
export function openApi({
  registry,
  now,
}: Pick<PathOptions, 'registry' | 'now'>): (path: string) => PathHandler | undefined {
  const current = currentDocuments(registry);
  return (path) => {
    if (path === '/openapi/v2') return current().v2;
    if (path === '/openapi/v3') return () => index(current().v3);
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const key = path.slice('/openapi/v3/'.length);
    const document = current().v3.get(key);
    if (!document) return () => ({ status: 404, headers: { 'cache-control': 'no-cache, private' }, body: nothing });
    return async (request, { query }) => v3(key, await document(), request, query, now);
  };
}

interface Documents {
  readonly v2: PathHandler;
  readonly v3: ReadonlyMap<string, MakeDocument>;
}

/** Documents of what is served now. Those of group versions that did not change stay. */
function currentDocuments(registry: Registry): () => Documents {
  const versions = new Map<string, { readonly changes: number; readonly document: MakeDocument }>();
  let made: Documents | undefined;
  let changes = -1;
  return () => {
    if (made && changes === registry.changes) return made;
    changes = registry.changes;
    const groups = groupsOf(registry);
    made = { v2: swagger(groups), v3: documentsV3(groups, versions) };
    return made;
  };
}

function documentsV3(
  groups: readonly Group[],
  known: Map<string, { readonly changes: number; readonly document: MakeDocument }>,
): ReadonlyMap<string, MakeDocument> {
  const documents = new Map<string, MakeDocument>([
    ['api', once(() => rootDocument(discoveryPaths.core(), 'meta/v1', 'APIVersions'))],
    ['apis', once(() => rootDocument(discoveryPaths.groups(), 'meta/v1', 'APIGroupList'))],
    ['version', once(() => rootDocument(discoveryPaths.version(), 'version', 'Info'))],
  ]);
  for (const { name, versions } of groups) {
    if (name !== '')
      documents.set(
        `apis/${name}`,
        once(() => rootDocument(discoveryPaths.group(name), 'meta/v1', 'APIGroup')),
      );
    for (const { version, resources, changes } of versions) {
      const key = name === '' ? `api/${version}` : `apis/${apiVersionOf({ group: name, version })}`;
      let made = known.get(key);
      if (made?.changes !== changes) {
        made = { changes, document: once(() => groupVersionDocument(name, version, resources)) };
        known.set(key, made);
      }
      documents.set(key, made.document);
    }
  }
  return new Map([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function once(make: () => Steps<JsonObject>): MakeDocument {
  let made: Promise<Document> | undefined;
  return () => (made ??= inSteps(make()).then(encoded));
}

async function encoded(document: JsonObject): Promise<Document> {
  await nextTurn();
  const bytes = Buffer.from(`${JSON.stringify(document)}\n`);
  return { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}

async function index(documents: ReadonlyMap<string, MakeDocument>): Promise<ApiResponse> {
  const paths: JsonObject = {};
  for (const [key, document] of documents) paths[key] = { serverRelativeURL: urlOf(key, await document()) };
  return {
    status: 200,
    headers: headersFor('text/plain; charset=utf-8'),
    body: Buffer.from(JSON.stringify({ paths })),
  };
}

function urlOf(key: string, { hash }: Document): string {
  return `/openapi/v3/${key}?hash=${hash}`;
}

/** With its hash in the URL a document can be kept for ever; an outdated hash leads to the current one. */
function v3(key: string, document: Document, request: ApiRequest, query: Query, now: () => Date): ApiResponse {
  const mediaType = chosenType(request, [['application/json', 'application/json']]);
  if (mediaType === undefined) return notAcceptable('Accept');
  const headers = { ...headersFor(mediaType), etag: `"${document.hash}"`, vary: 'Accept' };
  const asked = query.get('hash') ?? '';
  if (asked === '') return unlessKnown(request, headers, document);
  if (asked !== document.hash)
    return { status: 301, headers: { ...headers, location: urlOf(key, document) }, body: nothing };
  const expires = new Date(now().getTime() + yearMs).toUTCString().replace('GMT', 'UTC');
  return unlessKnown(request, { ...headers, 'cache-control': 'public, immutable', expires }, document);
}

function unlessKnown(request: ApiRequest, headers: ResponseHeaders, { bytes }: Document): ApiResponse {
  if (request.headers['if-none-match'] !== headers['etag']) return { status: 200, headers, body: bytes };
  const { 'content-type': _none, ...rest } = headers;
  return { status: 304, headers: rest, body: nothing };
}

const swaggerProtobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** By what is asked for: client-go still uses a name for protobuf that is not a valid media type. */
const swaggerTypes = [
  ['application/json', 'application/json'],
  [swaggerProtobuf, swaggerProtobuf],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', swaggerProtobuf],
] as const;

function swagger(groups: readonly Group[]): PathHandler {
  let document: Promise<JsonObject> | undefined;
  let json: Promise<Document> | undefined;
  let protobuf: Promise<Uint8Array> | undefined;
  const made = (): Promise<JsonObject> => (document ??= inSteps(documentV2(groups)));
  return async (request) => {
    const mediaType = chosenType(request, swaggerTypes);
    if (mediaType === undefined) return notAcceptable('Accept-Encoding, Accept');
    // Both forms are one document and have one ETag.
    json ??= made().then(encoded);
    const { bytes, hash } = await json;
    const headers = { ...headersFor(mediaType), etag: `"${hash}"`, vary: 'Accept-Encoding, Accept' };
    if (mediaType === 'application/json') return unlessKnown(request, headers, { bytes, hash });
    protobuf ??= made().then((whole) => inSteps(encodeSwagger(whole)));
    return unlessKnown(request, headers, { bytes: await protobuf, hash });
  };
}

function chosenType({ headers }: ApiRequest, offers: readonly (readonly [string, string])[]): string | undefined {
  for (const { mediaType } of clausesOf(headers['accept'] || '*/*')) {
    if (mediaType === '*/*' || mediaType === 'application/*') return offers[0]?.[1];
    const offer = offers.find(([asked]) => asked === mediaType);
    if (offer) return offer[1];
  }
  return undefined;
}

function notAcceptable(vary: string): ApiResponse {
  return { status: 406, headers: { 'cache-control': 'no-cache, private', vary }, body: nothing };
}
