import { apiVersionOf, type ApiResponse, type JsonObject, type KubeObject } from '@flotilla/kube';
import { listOptions } from '../http/list-options.ts';
import { mediaTypes, negotiate, type Representation, type Transformation } from '../http/negotiate.ts';
import { bytesResponse, headersFor, textBytes, wantsPretty } from '../http/respond.ts';
import { partialMetadata } from '../tables/partial-metadata.ts';
import { includeObject, tableOf } from '../tables/table.ts';
import { pauseBetween } from './breathe.ts';
import type { Call } from './context.ts';
import { filterOf } from './filter.ts';
import { itemPieces, listStream } from './list-stream.ts';
import { entriesOf, findPage, type Page } from './page.ts';
import { readEntry } from './represent.ts';

const forLists: ReadonlySet<Transformation> = new Set(['Table', 'PartialObjectMetadataList']);

export async function list(call: Call): Promise<ApiResponse> {
  const { request, resource, info } = call;
  const hasProtobuf = resource.codec.encodeProtobuf !== undefined;
  const offer = { transformations: forLists, hasProtobuf, isWatch: false };
  const representation = negotiate(request.headers['accept'], offer);
  const filter = filterOf(call);
  const options = listOptions(info.query, false);
  const page = await findPage(call, options, filter);

  const isStoredForm = representation.encoding === 'json' && representation.as === 'object' && !resource.conversion;
  if (isStoredForm && !wantsPretty(request, info.query)) return storedList(call, page);
  return shownList(call, page, representation);
}

/** The stored bytes, one after another. */
function storedList(call: Call, page: Page): ApiResponse {
  const { resource } = call;
  const head = `{"kind":"${resource.kind}List","apiVersion":"${apiVersionOf(resource)}","metadata":${JSON.stringify(page.metadata)},"items":[`;
  return {
    status: 200,
    headers: headersFor(mediaTypes.json, call.warnings),
    body: listStream(Buffer.from(head), itemPieces(resource, page), Buffer.from(']}\n')),
  };
}

/** A list in any other form: its objects are parsed and shown one by one. */
async function shownList(call: Call, page: Page, representation: Representation): Promise<ApiResponse> {
  const { resource, request, info, warnings } = call;
  const objects = await objectsOf(call, page);
  if (representation.encoding === 'protobuf' && representation.as !== 'Table') {
    const bytes = resource.codec.encodeProtobufList?.(
      shownObjects(objects, representation),
      page.metadata,
      representation.as,
    );
    if (bytes) return bytesResponse(200, mediaTypes.protobuf, bytes, warnings);
  }
  const shown =
    representation.as === 'Table'
      ? tableOf(call, objects, page.metadata, representation.metaVersion)
      : listObject(call, objects, page, representation);
  const encoding = representation.encoding === 'yaml' ? 'yaml' : 'json';
  return bytesResponse(
    200,
    mediaTypes[encoding],
    textBytes(encoding, shown, wantsPretty(request, info.query)),
    warnings,
  );
}

async function objectsOf(call: Call, page: Page): Promise<KubeObject[]> {
  const { resource, info } = call;
  includeObject(info.query);
  const breathe = pauseBetween();
  const objects: KubeObject[] = [];
  for (const entry of entriesOf(resource.collection, page)) {
    objects.push(readEntry(resource, entry.bytes));
    if (breathe.isDue()) await breathe.pause();
  }
  return objects;
}

function shownObjects(objects: readonly KubeObject[], { as, metaVersion }: Representation): JsonObject[] {
  return as === 'object' ? [...objects] : objects.map((object) => partialMetadata(object, metaVersion));
}

function listObject(
  { resource }: Call,
  objects: readonly KubeObject[],
  page: Page,
  representation: Representation,
): JsonObject {
  if (representation.as !== 'object') {
    const { metaVersion } = representation;
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${metaVersion}`,
      metadata: page.metadata,
      items: shownObjects(objects, representation),
    };
  }
  const items = resource.itemsNameTheirKind ? [...objects] : objects.map(withoutKind);
  return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata: page.metadata, items };
}

export function withoutKind({ kind: _kind, apiVersion: _apiVersion, ...rest }: KubeObject): JsonObject {
  return rest;
}
