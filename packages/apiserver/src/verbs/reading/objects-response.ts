import type { ApiResponse, KubeObject } from '@flotilla/kube';
import type { Representation } from '../../request/negotiate.ts';
import { bytesResponse } from '../../response/respond.ts';
import type { TableMeta } from '../../representation/table.ts';
import type { Call } from '../../call/call.ts';
import { listEncoder, type ListEncoder } from './list-encoder.ts';

/** Answers with a short list of objects. */
export function objectsResponse(
  call: Call,
  objects: readonly KubeObject[],
  metadata: TableMeta,
  representation: Representation,
): ApiResponse {
  const encoder = listEncoder(call, metadata, representation);
  return bytesResponse(200, encoder.contentType, wholeList(encoder, objects.map(encoder.item)), call.warnings);
}

export function wholeList(encoder: ListEncoder, items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return encoder.empty();
  const pieces = items.flatMap((item, index) => [index === 0 ? encoder.first : encoder.between, item]);
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([encoder.head(bytes), ...pieces, encoder.tail]);
}
