import type { ApiResponse, KubeObject } from '@flotilla/kube';
import type { Representation } from '../../request/negotiate.ts';
import { bytesResponse } from '../../response/respond.ts';
import type { TableMeta } from '../../representation/table.ts';
import type { Call } from '../../call/call.ts';
import { listForm, type ListForm } from './list-encoder.ts';

/** Answers with a short list of objects in whatever form the client asked for. */
export function objectsResponse(
  call: Call,
  objects: readonly KubeObject[],
  metadata: TableMeta,
  representation: Representation,
): ApiResponse {
  const form = listForm(call, metadata, representation);
  return bytesResponse(200, form.contentType, wholeList(form, objects.map(form.item)), call.warnings);
}

export function wholeList(form: ListForm, items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return form.empty();
  const pieces = items.flatMap((item, index) => [index === 0 ? form.first : form.between, item]);
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([form.head(bytes), ...pieces, form.tail]);
}
