import type { ApiResponse } from '@flotilla/kube';
import { listOptions } from '../../request/list-options.ts';
import { negotiate, type Representation } from '../../request/negotiate.ts';
import { headersFor } from '../../response/respond.ts';
import type { Call } from '../../call/call.ts';
import { filterOf } from './filter.ts';
import { listEncoder } from './list-encoder.ts';
import { listBody } from './list-stream.ts';
import { findPage, type Page } from './page.ts';
import { offerOf } from '../../representation/represent.ts';

export async function list(call: Call): Promise<ApiResponse> {
  const { request, resource, info } = call;
  const representation = negotiate(request.headers['accept'], offerOf(resource.codec, 'collection'));
  const filter = filterOf(call);
  const options = listOptions(info.query, false);
  return pageResponse(call, await findPage(call, options, filter), representation);
}

/** Answers with the objects of a page, encoded as the client reads. */
export async function pageResponse(call: Call, page: Page, representation: Representation): Promise<ApiResponse> {
  const encoder = listEncoder(call, page.metadata, representation);
  const body = await listBody(call, page, encoder);
  return { status: 200, headers: headersFor(encoder.contentType, call.warnings), body };
}
