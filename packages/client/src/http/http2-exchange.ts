import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { Clock } from '@flotilla/timing';
import { BodyQueue } from '../body-queue.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { noResponse, responseMs } from './connection.ts';

/** How a stream reports to its session. */
export interface StreamObserver {
  /** The server sent something. */
  readonly onData: () => void;
  readonly closed: () => void;
  readonly failure: (stream: ClientHttp2Stream | undefined, cause: unknown) => Error;
}

/** Sends one request on a stream. Listens to the stream's events: iterating over it costs a third more. */
export function exchange(
  open: (request: TransportRequest) => ClientHttp2Stream,
  request: TransportRequest,
  end: StreamObserver,
  clock: Clock,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    const body = request.body?.bytes;
    let stream: ClientHttp2Stream;
    try {
      stream = open(request);
    } catch (error) {
      end.closed();
      return reject(end.failure(undefined, error));
    }
    const queue = new BodyQueue({
      drained: () => stream.resume(),
      cancelled: () => stream.close(constants.NGHTTP2_CANCEL),
    });
    let isComplete = false;
    let failure: unknown;
    const fail = (error: unknown): void => {
      reject(error);
      queue.fail(error);
    };
    const abort = (): void => {
      fail(signal?.reason);
      stream.close(constants.NGHTTP2_CANCEL);
    };
    const cancelDeadline = clock.after(responseMs, () => {
      failure = new Error(noResponse);
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on('response', (headers) => {
      cancelDeadline();
      end.onData();
      resolve({ status: headers[':status'] ?? 0, headers: headers as SingleHeaders, body: queue });
    });
    stream.on('data', (chunk: Uint8Array) => {
      end.onData();
      if (!queue.push(chunk)) stream.pause();
    });
    // A stream that was cut emits this event, too.
    stream.on('end', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.destroyed) return;
      isComplete = true;
      queue.end();
    });
    stream.on('error', (error) => {
      failure ??= error;
    });
    stream.on('close', () => {
      cancelDeadline();
      signal?.removeEventListener('abort', abort);
      // Only a full garbage collection frees a stream. Its request and response need not wait for that.
      stream.removeAllListeners();
      end.closed();
      if (!isComplete) fail(end.failure(stream, failure));
    });
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    if (body !== undefined) stream.end(body);
  });
}

/** Only cookies are arrays, and API servers set none. */
type SingleHeaders = IncomingHttpHeaders & Readonly<Record<string, string | undefined>>;
