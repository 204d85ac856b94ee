import { apiVersionOf, type ApiResponse, type KubeObject } from '@flotilla/kube';
import { listOptions } from '../http/list-options.ts';
import { mediaTypes, negotiate, transformations, type Representation } from '../http/negotiate.ts';
import { headersFor, isPretty } from '../http/respond.ts';
import { includeObject } from '../tables/table.ts';
import { pauseBetween } from './breathe.ts';
import type { Call } from './context.ts';
import { filterOf } from './filter.ts';
import { itemPieces, listBody } from './list-stream.ts';
import { objectsResponse } from './objects-response.ts';
import { entriesOf, findPage, type Page } from './page.ts';
import { readEntry } from './represent.ts';

export async function list(call: Call): Promise<ApiResponse> {
  const { request, resource, info } = call;
  const hasProtobuf = resource.codec.encodeProtobuf !== undefined;
  const representation = negotiate(request.headers['accept'], { at: 'collection', transformations, hasProtobuf });
  const filter = filterOf(call);
  const options = listOptions(info.query, false);
  const page = await findPage(call, options, filter);

  const isStoredForm = representation.encoding === 'json' && representation.as === 'object' && !resource.conversion;
  if (isStoredForm && !isPretty(representation, request, info.query)) return storedList(call, page);
  return shownList(call, page, representation);
}

/** The stored bytes, one after another. */
function storedList(call: Call, page: Page): ApiResponse {
  const { resource } = call;
  const head = `{"kind":"${resource.kind}List","apiVersion":"${apiVersionOf(resource)}","metadata":${JSON.stringify(page.metadata)},"items":[`;
  return {
    status: 200,
    headers: headersFor(mediaTypes.json, call.warnings),
    body: listBody(Buffer.from(head), itemPieces(resource, page), Buffer.from(']}\n')),
  };
}

/** A list in any other form: its objects are parsed and shown one by one. */
async function shownList(call: Call, page: Page, representation: Representation): Promise<ApiResponse> {
  if (representation.as === 'Table') includeObject(call.info.query);
  return objectsResponse(call, await objectsOf(call, page), page.metadata, representation);
}

async function objectsOf({ resource }: Call, page: Page): Promise<KubeObject[]> {
  const breathe = pauseBetween();
  const objects: KubeObject[] = [];
  for (const entry of entriesOf(resource.collection, page)) {
    objects.push(readEntry(resource, entry.bytes));
    if (breathe.isDue()) await breathe.pause();
  }
  return objects;
}
