import { ApiError, type ApiStatus, type JsonObject, type KubeObject } from '@flotilla/kube';
import { asStatus } from './answered-error.ts';
import type { WatchEvent } from './client.ts';
import { ConnectionError } from './connection-error.ts';
import { linesOf } from './lines.ts';
import { isKubeObject, readJsonObject } from './read-json.ts';

/**
 * The events of a watch. What the server says about the watch itself (410: the revision is too old) is thrown; a signal that is
 * aborted ends it quietly.
 */
export async function* watchEvents<T extends KubeObject>(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  maxEventBytes: number,
): AsyncGenerator<WatchEvent<T>, void> {
  try {
    for await (const line of linesOf(body, maxEventBytes)) {
      if (signal.aborted) return;
      yield eventIn<T>(readJsonObject(line));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function eventIn<T extends KubeObject>({ type, object }: JsonObject): WatchEvent<T> {
  if (type === 'ERROR') throw new ApiError(asStatus(object, unknownFailure.code) ?? unknownFailure);
  if (!isEventType(type) || !isKubeObject(object)) {
    throw new ConnectionError('the watch sent something that is no event', 'cut');
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
