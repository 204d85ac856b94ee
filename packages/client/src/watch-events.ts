import { ApiError, type ApiStatus, type JsonObject, type KubeObject } from '@flotilla/kube';
import { ResponseTooLarge } from './response-limits.ts';
import { asStatus } from './response-error.ts';
import type { WatchEvent } from './client.ts';
import { ConnectionError } from './connection-error.ts';
import { isKubeObject, readJsonObject } from './read-body.ts';
import type { ReadOptions } from './read-list.ts';

/**
 * Yields the events of a watch. Throws an ERROR event (410: the revision is too old). Returns quietly if the signal
 * is aborted.
 */
export async function* watchEvents<T extends KubeObject>(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  { limits, turns }: ReadOptions,
): AsyncGenerator<WatchEvent<T>, void> {
  try {
    for await (const line of linesOf(body, limits.object)) {
      if (signal.aborted) return;
      yield eventIn<T>(readJsonObject(line));
      // The socket may have brought megabytes at once.
      if (turns.isOverAfter(line.length)) await turns.next();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function eventIn<T extends KubeObject>({ type, object }: JsonObject): WatchEvent<T> {
  if (type === 'ERROR') throw new ApiError(asStatus(object, unknownFailure.code) ?? unknownFailure);
  if (!isEventType(type) || !isKubeObject(object)) {
    throw new ConnectionError('the watch sent an invalid event', 'cut');
  }
  return { type, object: object as T };
}

function isEventType(type: unknown): type is WatchEvent<KubeObject>['type'] {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK';
}

const unknownFailure: ApiStatus = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the server ended the watch and did not say why',
  code: 500,
};

const newline = 0x0a;

/** Yields whole lines. Throws if the body ends in the middle of one. */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const piece of body) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(newline, from);
      const rest = piece.subarray(from, end < 0 ? piece.length : end);
      if (begunBytes + rest.length > maxLineBytes) throw new ResponseTooLarge('an event of the watch', maxLineBytes);
      if (end < 0) {
        if (rest.length > 0) begun.push(rest);
        begunBytes += rest.length;
        break;
      }
      from = end + 1;
      const line = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      if (begun.length > 0) begun = [];
      begunBytes = 0;
      if (line.length > 0) yield line;
    }
  }
  if (begun.length > 0) throw new ConnectionError('the watch was cut in the middle of an event', 'cut');
}
