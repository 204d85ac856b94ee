import { apiVersionOf, type ApiResponse } from '@flotilla/kube';
import { listOptions } from '../http/list-options.ts';
import { mediaTypes, negotiate, type Representation } from '../http/negotiate.ts';
import { headersFor, isPretty } from '../http/respond.ts';
import { includeObject } from '../tables/table.ts';
import type { Call } from './context.ts';
import { filterOf } from './filter.ts';
import { itemPieces, listBody } from './list-stream.ts';
import { objectsResponse, unstructuredMeta } from './objects-response.ts';
import { entriesOf, findPage, type Page } from './page.ts';
import { isShown, offerOf, readEntries } from './represent.ts';

export async function list(call: Call): Promise<ApiResponse> {
  const { request, resource, info } = call;
  const representation = negotiate(request.headers['accept'], offerOf(resource.codec, 'collection'));
  const filter = filterOf(call);
  const options = listOptions(info.query, false);
  const page = await findPage(call, options, filter);

  const isPlain = representation.encoding === 'json' && representation.as === 'object' && !mustAsk(call, page);
  if (isPlain && !isPretty(representation, request, info.query)) return storedList(call, page);
  return shownList(call, page, representation);
}

/** The stored bytes, one after another. */
function storedList(call: Call, page: Page): ApiResponse {
  const { resource } = call;
  const [head, tail] = resource.isUnstructured ? unstructuredFrame(call, page) : structFrame(call, page);
  return {
    status: 200,
    headers: headersFor(mediaTypes.json, call.warnings),
    body: listBody(Buffer.from(head), itemPieces(resource, page), Buffer.from(tail)),
  };
}

/** What goes before and after the items, in the order of a Go struct. */
function structFrame({ resource }: Call, { metadata }: Page): [string, string] {
  const kind = `"kind":"${resource.listKind}","apiVersion":"${apiVersionOf(resource)}"`;
  return [`{${kind},"metadata":${JSON.stringify(metadata)},"items":[`, ']}\n'];
}

/** The same in the order of a Go map. */
function unstructuredFrame({ resource }: Call, { metadata }: Page): [string, string] {
  const meta = JSON.stringify(unstructuredMeta(metadata));
  return [
    `{"apiVersion":"${apiVersionOf(resource)}","items":[`,
    `],"kind":"${resource.listKind}","metadata":${meta}}\n`,
  ];
}

/** A list in any other form: its objects are parsed and shown one by one. */
async function shownList(call: Call, page: Page, representation: Representation): Promise<ApiResponse> {
  if (representation.as === 'Table') includeObject(call.info.query);
  const objects = await readEntries(call.resource, [...entriesOf(call.resource.collection, page)]);
  return objectsResponse(call, objects, page.metadata, representation);
}

/** Objects of a resource that a webhook converts are asked for all at once, even if some are shown as they are stored. */
function mustAsk({ resource }: Call, page: Page): boolean {
  if (!resource.whileConverting) return false;
  for (const entry of entriesOf(resource.collection, page)) if (!isShown(resource, entry)) return true;
  return false;
}
